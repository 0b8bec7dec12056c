// What the two JavaScript codecs of the benchmark share: constants, errors and the schema rules (formats/elephant.md §2, §3, §8).

export const MAGIC = 0x454c4550;
export const FOOTER = 0x48414e54;
export const VERSION_1_5_0 = 0x00010500;
export const VERSION_1_5_1 = 0x00010501;

export const CODE = { u8: 1, s8: 2, u16: 3, s16: 4, u32: 5, s32: 6, f16: 7, f32: 8, f64: 9, bool: 10, string: 11, u64: 12, text: 13 };
export const ANY = 204;
export const ARRAY = 205;
export const STRUCT = 206;
export const UNDEFINED = 207;

/** Code of a datatype name as schemas spell it. */
export const CODE_BY_NAME = { ...CODE, any: ANY, array: ARRAY, struct: STRUCT, undefined: UNDEFINED };

const FORCE = "__Elephant_Force_Version__";
const EXCLUDE = "__Elephant_Verbose_Exclude__";
export const FLAG = "__Elephant_Version_Verbose__";

/** An error with a category of formats/elephant.md §16. */
export class ElephantError extends Error {
  constructor(code, message = code) {
    super(message);
    this.code = code;
  }
}

export function fail(code, message) {
  throw new ElephantError(code, message);
}

/** The fields of one schema version in the order strict data has them: ascending by code unit. */
function strictFields(version) {
  return Object.keys(version)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    .map((name) => ({ name, code: name === FLAG ? UNDEFINED : (CODE_BY_NAME[version[name]] ?? fail("schema-key-invalid", name)) }));
}

/**
 * A registered constructor with everything its schema decides.
 * @param {string} name
 * @param {{ class: Function, schema?: object }} definition
 */
export function resolveConstructor(name, definition) {
  const schema = definition.schema;
  const strictByVersion = new Map();
  let version = 0;
  if (schema !== undefined) {
    for (const key of Object.keys(schema)) {
      const match = /^v([1-9]\d{0,2})$/.exec(key);
      if (match !== null && Number(match[1]) < 128) strictByVersion.set(Number(match[1]), undefined);
    }
    if (schema[FORCE] !== undefined) {
      version = schema[FORCE];
      if (version !== 0 && !strictByVersion.has(version)) fail("forced-version-missing");
    } else {
      for (const key of Object.keys(schema)) {
        if (key === EXCLUDE || key === FLAG) continue;
        const match = /^v([1-9]\d{0,2})$/.exec(key);
        if (match === null || Number(match[1]) > 127) fail("schema-key-invalid", key);
        version = Math.max(version, Number(match[1]));
      }
    }
    for (const v of strictByVersion.keys()) strictByVersion.set(v, strictFields(schema[`v${v}`]));
  }
  const current = version === 0 ? undefined : schema[`v${version}`];
  const exclude = schema?.[EXCLUDE] ?? [];
  if (!Array.isArray(exclude)) fail("exclude-not-an-array");
  return {
    name,
    class: definition.class,
    prototype: definition.class.prototype,
    hasSchema: schema !== undefined,
    version,
    verbose: version === 0 || current[FLAG] === true,
    /** Member names of a verbose schema version, in the order of the literal; undefined: the instance's own members. */
    verboseNames: version === 0 ? undefined : Object.keys(current).filter((n) => !exclude.includes(n)),
    exclude: new Set(exclude),
    /** Strict fields per schema version, for reading files of older versions too. */
    strictByVersion,
  };
}
