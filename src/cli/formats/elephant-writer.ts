// Writing a graph of stand-ins as it was stored: each constructed struct in its own schema version, fields that the file skipped skipped again.
import { StructInstance, setStoredAs } from "../../elephant/constructors.ts";
import { type ElephantErrorCode, elephantError } from "../../elephant/errors.ts";
import {
  createElephantSync,
  type Elephant,
  type ElephantConstructor,
  type ElephantSchema,
  FORCE_VERSION,
  isScalar,
  SCHEMA,
  type WritableRelease,
} from "../../elephant/index.ts";
import { schemaVersion } from "../../elephant/schema.ts";
import { defineMember } from "../../graph/members.ts";
import { pathOf, step } from "../../graph/path.ts";
import { forEachContainer } from "../notation/graph-walk.ts";
import type { Vocabulary } from "../notation/vocabulary.ts";
import { numberMisfit } from "./elephant-numbers.ts";
import { HIGHEST_WRITTEN } from "./elephant-schemas.ts";
import type { ElephantSchemas } from "./format.ts";

/**
 * Stands for every member of the fresh instance that diffsOnly compares with, and for a member that is to be skipped: one object equals itself
 * under either rule of equality and nothing else (formats/elephant.md §9), so exactly those members are skipped.
 */
const SKIPPED = Object.freeze({});

const templateMembers: ProxyHandler<object> = {
  get: () => SKIPPED,
  getOwnPropertyDescriptor: () => ({ value: SKIPPED, writable: true, enumerable: true, configurable: true }),
};

function strictClass(schema: ElephantSchema): ElephantConstructor {
  return class {
    static readonly [SCHEMA] = schema;
    constructor() {
      // biome-ignore lint/correctness/noConstructorReturn: the template of diffsOnly has every member there is
      return new Proxy({}, templateMembers);
    }
  };
}

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
  const skips: { instance: StructInstance; name: string }[] = [];
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
      const misfit = numberMisfit(isScalar(value) ? value.value : value, code);
      if (misfit) fail("datatype-not-recognised", misfit, step(member));
      present++;
    }
    if (present === fields.size) return;
    for (const field of fields.keys()) {
      if (Object.hasOwn(container, field)) continue;
      if (writing.release === "1.4.0") fail("bad-option", "release 1.4.0 cannot leave out fields, which the save does", step(field));
      skips.push({ instance: container, name: field });
    }
  });

  const constructors: Record<string, ElephantConstructor> = Object.create(null);
  for (const [name, version] of strict) constructors[name] = strictClass({ ...schemas[name], [FORCE_VERSION]: version } as ElephantSchema);
  const codec = strict.size === 0 ? genericCodec() : createElephantSync({ constructors });
  for (const { instance, name } of skips) defineMember(instance, name, SKIPPED);
  try {
    return codec.write(root, { release: writing.release, diffsOnly: skips.length > 0 });
  } finally {
    for (const { instance, name } of skips) delete instance[name];
  }
}
