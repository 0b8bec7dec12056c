// Which format is it, and who knows it. A new format is a file beside this one and a line here.
import { detect, TuskError } from "tusk-codec";
import { ds, readDsSave, writeDsSave } from "./ds.js";
import { elephant, packedSave, readElephant, writeElephant, writtenRelease } from "./elephant.js";
import { enigma, readEnigmaSave, writeEnigmaSave } from "./enigma.js";
import { introspection, readIntrospectionSave, writeIntrospectionSave } from "./introspection.js";

const FORMATS = {
  elephant: {
    title: "Elephant",
    view: elephant,
    read: readElephant,
    write: writeElephant,
    packed: packedSave,
    writtenRelease,
    isText: false,
  },
  ds: { title: "ds string", view: ds, read: readDsSave, write: writeDsSave, isText: true },
  enigma: { title: "ENIGMA", view: enigma, read: readEnigmaSave, write: writeEnigmaSave, isText: false },
  introspection: {
    title: "Introspection text",
    view: introspection,
    read: readIntrospectionSave,
    write: writeIntrospectionSave,
    isText: true,
    /** It is read by the same JavaScript everywhere. */
    hasEngine: false,
  },
};

export function formatOf(bytes) {
  const detection = detect(bytes);
  if (!detection) throw new TuskError("tusk", "unknown-format", "this is no save that Tusk knows", { offset: 0 });
  return { detection, format: FORMATS[detection.format] };
}
