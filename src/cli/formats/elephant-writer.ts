// Writing a graph of stand-ins as it was stored: each constructed struct in its own schema version, fields that the file skipped skipped again.
import { StructInstance, setStoredAs } from "../../elephant/constructors.ts";
import { type ElephantErrorCode, elephantError } from "../../elephant/errors.ts";
import {
  createElephantSync,
  type Elephant,
  type ElephantSchema,
  FORCE_VERSION,
  isScalar,
  type WritableRelease,
} from "../../elephant/index.ts";
import { schemaVersion } from "../../elephant/schema.ts";
import { pathOf, step } from "../../graph/path.ts";
import { forEachContainer } from "../notation/graph-walk.ts";
import type { Vocabulary } from "../notation/vocabulary.ts";
import { valueMisfit } from "./elephant-numbers.ts";
import { HIGHEST_WRITTEN } from "./elephant-schemas.ts";
import type { ElephantSchemas } from "./format.ts";

/** Makes a stand-in that is written as `version` says. */
export function standIn(name: string, version: number, verbose: boolean): StructInstance {
  const made = new StructInstance(name);
  setStoredAs(made, version, verbose);
  return made;
}

let generic: Elephant | undefined;

/** The codec that knows no constructors. */
export function genericCodec(): Elephant {
  generic ??= createElephantSync({ unknownConstructor: "generic" });
  return generic;
}

export interface ElephantWriting {
  readonly release: WritableRelease;
  readonly schemas: ElephantSchemas;
}

export function writeElephant(root: unknown, vocabulary: Vocabulary, writing: ElephantWriting): Uint8Array {
  const { schemas } = writing;
  const strict = new Map<string, number>();
  const verbose = new Map<string, number>();
  let skips = false;
  const fieldsOf = new Map<string, ReadonlyMap<string, number>>();

  forEachContainer(root, vocabulary, (container) => {
    if (!(container instanceof StructInstance)) return;
    const name = StructInstance.nameOf(container);
    const version = StructInstance.versionOf(container);
    const fail = (code: ElephantErrorCode, message: string, member = ""): never => {
      throw elephantError(code, message, { path: pathOf(root, container) + member });
    };
    const isVerbose = StructInstance.verboseOf(container);
    const mixed = isVerbose ? strict.has(name) : verbose.has(name) || (strict.get(name) ?? version) !== version;
    if (mixed) fail("schema-version-missing", `structs of "${name}" in different schema versions cannot be written into one save`);
    if (version > HIGHEST_WRITTEN)
      fail(
        "schema-key-invalid",
        `schema version ${version} of "${name}" cannot be written: release ${writing.release} holds up to v${HIGHEST_WRITTEN}`,
      );
    if (isVerbose) {
      verbose.set(name, version);
      return;
    }
    const schema =
      schemas[name] ?? fail("schema-missing", `a "${name}" is stored by schema version ${version}, and its schema is not known`);
    if (!strict.has(name)) {
      const found =
        schemaVersion(schema, version, name) ?? fail("schema-version-missing", `the schema of "${name}" has no version ${version}`);
      if (found.verbose)
        fail("schema-version-missing", `the schema stores a "${name}" of this version with its names, which is "$verbose": true`);
      fieldsOf.set(name, new Map(found.fields.map((field) => [field.name, field.code])));
      strict.set(name, version);
    }
    const fields = fieldsOf.get(name)!;
    let present = 0;
    for (const member of Object.keys(container)) {
      const code =
        fields.get(member) ??
        fail("datatype-not-recognised", `version ${version} of the schema of "${name}" has no field ${JSON.stringify(member)}`);
      const value = container[member];
      const misfit = valueMisfit(isScalar(value) ? value.value : value, code);
      if (misfit) fail("datatype-not-recognised", misfit, step(member));
      present++;
    }
    if (present === fields.size) return;
    for (const field of fields.keys()) {
      if (Object.hasOwn(container, field)) continue;
      if (writing.release === "1.4.0") fail("bad-option", "release 1.4.0 cannot leave out fields, which the save does", step(field));
      skips = true;
    }
  });

  const constructors: Record<string, ElephantSchema> = Object.create(null);
  for (const [name, version] of strict) constructors[name] = { ...schemas[name], [FORCE_VERSION]: version };
  const codec = strict.size === 0 ? genericCodec() : createElephantSync({ constructors });
  return codec.write(root, { release: writing.release, diffsOnly: skips });
}
