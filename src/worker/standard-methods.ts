// What every worker can do. Graphs of objects do not cross to the client as such (see client.ts): saves do, as bytes.
import { detect } from "../detect.ts";
import { readDs } from "../ds/read.ts";
import type { DsStructure, ReadDsOptions, WriteDsOptions } from "../ds/types.ts";
import { writeDs } from "../ds/write.ts";
import { givenBytes } from "../elephant/arguments.ts";
import type { Chunk } from "../elephant/async/options.ts";
import { exportBytes, importBytes } from "../elephant/export-string.ts";
import type { EnigmaGame } from "../enigma/model.ts";
import type { EnigmaReadOptions, EnigmaWriteOptions } from "../enigma/options.ts";
import { readEnigma } from "../enigma/read.ts";
import { writeEnigma } from "../enigma/write.ts";
import { holdsOptions } from "../options.ts";
import { isBuffer, sentText } from "./bytes.ts";
import { limitsOf, withoutLimits } from "./codec-limits.ts";
import type { ServiceContext, ServiceMethod } from "./serve.ts";

/** Nobody waits for this thread but the client's abort. */
const SLICE_MS = 50;

/** Reads a save for its errors alone; the bytes go back as they came. */
async function check(context: ServiceContext, given: Chunk | Blob, offset = 0): Promise<{ bytes: Uint8Array<ArrayBuffer>; end: number }> {
  const { elephant, signal } = context;
  const bytes = (given instanceof Blob ? new Uint8Array(await given.arrayBuffer()) : givenBytes(given)) as Uint8Array<ArrayBuffer>;
  const { end } = await elephant.readAtAsync(bytes, offset, {
    signal,
    sliceMs: SLICE_MS,
    onProgress: context.progress,
  });
  return context.transfer({ bytes, end }, isBuffer(bytes.buffer) ? [bytes.buffer] : []);
}

/** The options with warnings sent to the client; what holds none is for the codec to refuse. */
function heard<O extends EnigmaReadOptions | EnigmaWriteOptions>(context: ServiceContext, options = {} as O): O {
  if (!holdsOptions(options)) return options;
  const { onWarning = context.warn } = options;
  return { ...options, onWarning };
}

export const STANDARD_METHODS: Record<string, ServiceMethod> = {
  check,

  /** The save in an export string, checked. */
  importString(context, text: Uint8Array, offset: number) {
    const inflated = importBytes(sentText(text), limitsOf(context.elephant).maxInflatedBytes);
    // Node's inflated buffer may be larger than what is in it.
    return check(context, inflated.slice(), offset);
  },

  /** The export string of a save. */
  exportString: (_, save: Chunk) => exportBytes(givenBytes(save)),

  /** The JSON form of a save, itself as a save. */
  async toJson(context, save: Uint8Array, diffsOnly: boolean) {
    const { elephant, signal } = context;
    const value = await elephant.readAsync(save, { signal, sliceMs: SLICE_MS });
    const bytes = await withoutLimits(elephant).writeAsync(elephant.toJson(value, { diffsOnly }), { signal, sliceMs: SLICE_MS });
    return context.transfer(bytes, [bytes.buffer]);
  },

  detect: (_, input: Uint8Array | string) => detect(input),

  readDs: (_, input: string | Uint8Array, options?: ReadDsOptions) => readDs(input, options),
  writeDs: (_, structure: DsStructure, options?: WriteDsOptions) => writeDs(structure, options),

  readEnigma: (context, bytes: Uint8Array, options?: EnigmaReadOptions) => readEnigma(bytes, heard(context, options)),
  writeEnigma(context, game: EnigmaGame, options?: EnigmaWriteOptions) {
    const bytes = writeEnigma(game, heard(context, options));
    return context.transfer(bytes, [bytes.buffer]);
  },
};
