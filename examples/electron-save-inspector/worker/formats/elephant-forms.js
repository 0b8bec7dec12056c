// The forms in which a save stores its constructed structs: an edited save keeps them.
import { FORCE_VERSION, isScalar, SCHEMA, StructInstance, TuskError } from "tusk-codec";

/** Stands for a field that a strict struct of the file skips: `diffsOnly` skips it again, for it equals itself and nothing that a save holds. */
const SKIPPED = Object.freeze({});

/** The fresh instance that `diffsOnly` compares with: has every field there is. */
const FRESH = new Proxy(
  {},
  { get: () => SKIPPED, getOwnPropertyDescriptor: () => ({ value: SKIPPED, writable: true, enumerable: true, configurable: true }) },
);

function strictClass(schema) {
  return class {
    static [SCHEMA] = schema;
    constructor() {
      // biome-ignore lint/correctness/noConstructorReturn: what its instances are compared with
      return FRESH;
    }
  };
}

function forEachInstance(root, visit) {
  const seen = new Set([root]);
  for (const container of seen) {
    if (container instanceof StructInstance) visit(container);
    for (const child of Array.isArray(container) ? container : Object.values(container))
      if (typeof child === "object" && child !== null && !isScalar(child)) seen.add(child);
  }
}

/** A codec stores all structs of a constructor in one form: in any, some of them would lose what only theirs holds. */
function inTwoForms(name) {
  const reason = `structs of ${JSON.stringify(name)} in different schema versions cannot be written into one save`;
  return new TuskError("elephant", "schema-version-missing", reason);
}

/**
 * What a codec has to know to write each struct of a save as it was read, `{ constructors, skipped }`. Structs that are stored with names stay so, in
 * their own versions and with all of their members, only where it does not know their schema. Error `schema-version-missing` for structs of one
 * constructor in two forms.
 */
export function storedForms(root, schemas) {
  /** By constructor the version of strict structs; 0: with names. */
  const forms = new Map();
  const skipped = [];
  forEachInstance(root, (instance) => {
    const name = StructInstance.nameOf(instance);
    const form = StructInstance.verboseOf(instance) ? 0 : StructInstance.versionOf(instance);
    if ((forms.get(name) ?? form) !== form) throw inTwoForms(name);
    forms.set(name, form);
    if (form === 0) return;
    for (const field of Object.keys(schemas[name][`v${form}`])) if (!Object.hasOwn(instance, field)) skipped.push([instance, field]);
  });
  const strict = [...forms].filter(([, form]) => form !== 0);
  const constructors = strict.map(([name, version]) => [name, strictClass({ ...schemas[name], [FORCE_VERSION]: version })]);
  return { constructors: Object.fromEntries(constructors), skipped };
}

/** Does `write` while the fields that were skipped are there to be skipped again. They cannot be seen: the tree may be asked for meanwhile. */
export async function withSkipped(skipped, write) {
  for (const [instance, field] of skipped) Object.defineProperty(instance, field, { value: SKIPPED, configurable: true });
  try {
    return await write();
  } finally {
    for (const [instance, field] of skipped) delete instance[field];
  }
}
