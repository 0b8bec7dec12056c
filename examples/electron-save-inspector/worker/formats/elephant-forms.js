// The forms in which a save stores its constructed structs: an edited save keeps them.
import { FORCE_VERSION, isScalar, StructInstance, TuskError } from "tusk-codec";

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

/** The version of each constructor whose structs are stored by schema, without names. Error `schema-version-missing` where they are in two forms. */
function strictVersions(root) {
  /** 0: with names. */
  const forms = new Map();
  forEachInstance(root, (instance) => {
    const name = StructInstance.nameOf(instance);
    const form = StructInstance.verboseOf(instance) ? 0 : StructInstance.versionOf(instance);
    if ((forms.get(name) ?? form) !== form) throw inTwoForms(name);
    forms.set(name, form);
  });
  return [...forms].filter(([, form]) => form !== 0);
}

/**
 * The constructors that a codec has to know to write each struct as it was read. Structs that are stored with names stay so, in their own versions and with all of
 * their members, only where it does not know their schema.
 */
export function writtenConstructors(root, schemas) {
  return Object.fromEntries(strictVersions(root).map(([name, version]) => [name, { ...schemas[name], [FORCE_VERSION]: version }]));
}
