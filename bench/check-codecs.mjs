// Checks the two JavaScript codecs against Elephant's golden vectors: `node bench/check-codecs.mjs`. A baseline that is wrong measures nothing.
// With --without-buffer they are what they are in a browser.
import { firstDifference } from "./deep-equal.mjs";
import { buildConstructors, largeSaves, readManifest, readValue, readVectorFile, vectorFolder, vectorSets } from "./vectors.mjs";

/** The codecs look for node:buffer when they are loaded. */
async function load() {
  const { Buffer } = globalThis;
  const { getBuiltinModule } = process;
  if (process.argv.includes("--without-buffer")) globalThis.Buffer = process.getBuiltinModule = undefined;
  const { createPlainJs } = await import("./codecs/plain-js.mjs");
  const { createStrongJs } = await import("./codecs/strong-js.mjs");
  globalThis.Buffer = Buffer;
  process.getBuiltinModule = getBuiltinModule;
  return { "strong-js": createStrongJs, "plain-js": createPlainJs };
}

/** What the baselines do not claim: other releases, differences, callbacks, int32-typed values. */
function outside(vector) {
  const text = JSON.stringify(vector);
  if (vector.op !== "binary" || vector.elephant !== "1.5.1") return true;
  if (vector.options?.diffsOnly || text.includes('"callbacks"') || text.includes('"$s32"')) return true;
  // Integer-like member names have an order of their own in JavaScript objects.
  return vector.kind !== undefined || vector.name === "names-integer-like";
}

const codecs = await load();
let checked = 0;
const failures = [];

function sameBytes(a, b) {
  return Buffer.compare(a, b) === 0;
}

/** Members that are undefined may be missing, and u32 fields are numbers where the vectors have int64: the vectors README allows both. */
function check(set, vector, name, create) {
  const constructors = buildConstructors(vector.ctors);
  const readers = vector.readCtors ? buildConstructors(vector.readCtors) : constructors;
  const where = `${name}: ${set}/${vector.name}`;
  const expectation = vector.error;
  const attempt = (run) => {
    try {
      return { result: run() };
    } catch (error) {
      return { error };
    }
  };
  if (vector.dirs.includes("write") && vector.value !== undefined) {
    const known = new Map();
    const { result, error } = attempt(() => create({ constructors }).encode(readValue(vector.value, constructors, known)));
    checked++;
    if (expectation?.on === "write") {
      if (error === undefined) failures.push(`${where}: was written, expected ${expectation.category}`);
    } else if (error !== undefined) failures.push(`${where}: write: ${error.message}`);
    else if (!sameBytes(result, readVectorFile(set, vector.file))) failures.push(`${where}: other bytes`);
  }
  if (vector.dirs.includes("read") && vector.file !== undefined) {
    const codec = create({ constructors: readers });
    const bytes = readVectorFile(set, vector.file);
    // Often enough that compiled readers are used too.
    for (let i = 0; i < (bytes.length < 5000 ? 40 : 2); i++) {
      const { result, error } = attempt(() => codec.decode(bytes));
      checked++;
      if (expectation?.on === "read") {
        if (error === undefined) failures.push(`${where}: was read, expected ${expectation.category}`);
        continue;
      }
      if (error !== undefined) {
        failures.push(`${where}: read: ${error.message}`);
        break;
      }
      if (vector.readValue === "same-numeric" || vector.readValue === undefined) continue;
      const expected = readValue(vector.readValue === "same" ? vector.value : vector.readValue, readers, new Map());
      const difference = firstDifference(expected, result, { undefinedMembers: false, integerTypes: false });
      if (difference !== null) {
        failures.push(`${where}: read ${i}: ${difference}`);
        break;
      }
    }
  }
}

for (const set of vectorSets()) {
  if (set === "large") continue;
  for (const vector of readManifest(set)) {
    if (outside(vector)) continue;
    for (const [name, create] of Object.entries(codecs)) check(set, vector, name, create);
  }
}
for (const save of await largeSaves()) {
  const { value, constructors, elephant } = save.load();
  for (const [name, create] of Object.entries(codecs)) {
    const codec = create({ constructors });
    checked += 3;
    if (!sameBytes(codec.encode(value), elephant)) failures.push(`${name}: ${save.name}: other bytes`);
    if (!sameBytes(codec.encode(codec.decode(elephant)), elephant)) failures.push(`${name}: ${save.name}: other bytes after reading`);
    if (!sameBytes(codec.encode(codec.decode(elephant)), elephant)) failures.push(`${name}: ${save.name}: other bytes after reading twice`);
  }
}
for (const failure of failures) console.error(failure);
console.log(`${checked} checks against ${vectorFolder}, ${failures.length} failures`);
if (checked === 0) console.log("No vectors found: set ELEPHANT_VECTORS.");
process.exitCode = failures.length > 0 || checked === 0 ? 1 : 0;
