// Reads inputs of all four formats and writes them again; the same program runs in pages, in workers and in Node.
import {
  createElephantSync,
  readDs,
  readEnigma,
  readIntrospection,
  TuskError,
  writeDs,
  writeEnigma,
  writeIntrospectionDocument,
} from "tusk-codec";
import { describe } from "./describe.js";

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The same bytes in memory that can be resized, which a browser's TextDecoder refuses. */
function resizable(bytes) {
  const copy = new Uint8Array(new ArrayBuffer(bytes.length, { maxByteLength: bytes.length + 1 }));
  copy.set(bytes);
  return copy;
}

function digits(bytes) {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Each has memory of its own. Inputs with the same schemas stand near each other. */
const MOST_CODECS = 4;
const codecs = new Map();

/** Inputs with the same schemas, or none, share a codec: making one takes longer than reading a small file. The last used stay. */
function elephantCodec(engine, schemas) {
  const key = JSON.stringify([engine, schemas]);
  let codec = codecs.get(key);
  if (!codec) {
    codec = createElephantSync({ engine, constructors: schemas, unknownConstructor: "generic" });
    if (codecs.size === MOST_CODECS) codecs.delete(codecs.keys().next().value);
  }
  codecs.delete(key);
  codecs.set(key, codec);
  return codec;
}

const actions = {
  elephant({ schemas }, engine, bytes) {
    const elephant = elephantCodec(engine, schemas);
    const { value, end, release } = elephant.readAt(bytes, 0, { scalars: "exact" });
    return [release, end, describe(value), digits(elephant.write(value))];
  },
  ds({ text }, engine) {
    const structure = readDs(text, { engine });
    return [describe(structure), writeDs(structure, { engine })];
  },
  enigma(_, engine, bytes) {
    const game = readEnigma(bytes, { engine });
    return [describe(game), digits(writeEnigma(game, { engine }))];
  },
  introspection({ text }) {
    const document = readIntrospection(text);
    return [describe(document), writeIntrospectionDocument(document)];
  },
};

/** The outcome of every input: what was read and written, or the error. FNV-1a keeps what crosses to the test short. */
export function outcomes(format, inputs, engine = "auto", memory = "plain") {
  return inputs.map((input) => {
    const bytes = bytesOf(input.base64 ?? "");
    let outcome;
    try {
      outcome = ["good", ...actions[format](input, engine, memory === "resizable" ? resizable(bytes) : bytes)].join("\n");
    } catch (error) {
      if (!(error instanceof TuskError)) throw error;
      return `error ${error.code} ${error.offset} ${error.line} ${error.path}`;
    }
    let hash = 0x811c9dc5;
    for (let i = 0; i < outcome.length; i++) hash = Math.imul(hash ^ outcome.charCodeAt(i), 0x01000193);
    return `good ${outcome.length} ${(hash >>> 0).toString(16)}`;
  });
}
