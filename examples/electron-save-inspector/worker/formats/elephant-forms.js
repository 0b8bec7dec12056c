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

/**
 * What a codec has to know to write each struct of a save as it was read, `{ constructors, diffsOnly }`: whether some skip fields, which only that leaves out
 * again. Structs that are stored with names stay so, in their own versions and with all of their members, only where it does not know their schema. Error
 * `schema-version-missing` for structs of one constructor in two forms.
 */
export function storedForms(root, schemas) {
  /** By constructor the version of strict structs; 0: with names. */
  const forms = new Map();
  let diffsOnly = false;
  forEachInstance(root, (instance) => {
    const name = StructInstance.nameOf(instance);
    const form = StructInstance.verboseOf(instance) ? 0 : StructInstance.versionOf(instance);
    if ((forms.get(name) ?? form) !== form) throw inTwoForms(name);
    forms.set(name, form);
    if (form !== 0) diffsOnly ||= Object.keys(schemas[name][`v${form}`]).some((field) => !Object.hasOwn(instance, field));
  });
  const strict = [...forms].filter(([, form]) => form !== 0);
  const constructors = strict.map(([name, version]) => [name, { ...schemas[name], [FORCE_VERSION]: version }]);
  return { constructors: Object.fromEntries(constructors), diffsOnly };
}
