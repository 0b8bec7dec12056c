// Constructed structs on their way out: which version and members are written, callbacks, diffsOnly (formats/elephant.md §8 to §10).
import { stringFault } from "../../graph/string-fault.ts";
import { POST_WRITE, PRE_WRITE, Registered, StructInstance } from "../constructors.ts";
import { includedMembers, inheritsNothing, lacksSchema, writtenMembers } from "../members.ts";
import { skipped } from "../path-search.ts";
import type { SchemaVersion } from "../schema.ts";
import type { GraphWriter } from "../write.ts";
import { FAULTS, Problem } from "./problem.ts";
import { type InstanceShape, PartialShape } from "./shapes.ts";
import type { Site } from "./sites.ts";

const INSTANCE_LIMIT = 65536;
/** Constructors that are not registered, and as much text of their names. */
const STAND_INS_LIMIT = 4096;

/** The shape of an instance without the fields that `skips` names. */
function differences(schema: SchemaVersion, skips: (name: string) => boolean): PartialShape {
  const left: number[] = [];
  const fields = schema.fields.filter((field, i) => {
    // The list has no larger numbers.
    if (i > 65534 || !skips(field.name)) return true;
    left.push(i + 1);
    return false;
  });
  return new PartialShape(schema.version, fields, left);
}

export class InstanceWriter {
  /** The constructor index of the instance that begins. */
  index = 0;
  /** The constructor's name, where it occurs for the first time: then it follows. */
  name: string | undefined = undefined;
  /** What is to be done behind its members. */
  done: (() => void) | undefined = undefined;
  private readonly writer: GraphWriter;
  /** Constructors by name: which one of all it was where it last occurred for the first time in a write. */
  private readonly indices = new Map<string, number>();
  /** So many have there been before this write, and all together. */
  private before = 0;
  private all = 0;
  /** Constructors that are not registered, by name: kept between writes, as shapes are that know them. */
  private readonly standIns = new Map<string, Registered>();
  /** How many, and their text, as {@link STAND_INS_LIMIT} counts it. */
  private remembered = 0;

  constructor(writer: GraphWriter) {
    this.writer = writer;
  }

  begin(): void {
    this.done = undefined;
    this.before = this.all;
    if (this.remembered <= STAND_INS_LIMIT) return;
    this.remembered = 0;
    this.indices.clear();
    this.standIns.clear();
  }

  /** A stand-in's constructor: the registered one of its name, or none. */
  standIn(instance: StructInstance): Registered {
    const name = StructInstance.nameOf(instance);
    let known = this.writer.settings.registry.named(name) ?? this.standIns.get(name);
    if (!known) {
      this.standIns.set(name, (known = new Registered(-1, name)));
      this.remembered += 1 + (name.length >> 6);
    }
    return known;
  }

  /** An instance begins: its pre-write callback is called; returns how its members are written. */
  enter(instance: object, registered: Registered, site: Site): InstanceShape {
    const { writer } = this;
    const { shapes } = writer;
    const { state } = writer.settings;
    const preWrite = registered.callback(PRE_WRITE);
    const postWrite = registered.callback(POST_WRITE);
    // Before any callback runs, as in verbose mode the list of members.
    const skips = skipped(instance, registered, writer);
    writer.resolving = true;
    const members = writtenMembers(instance, registered);
    const { version, schema } = members;
    if (instance instanceof StructInstance && !(registered.schema || StructInstance.verboseOf(instance)))
      throw new Problem("schema-missing", lacksSchema(registered, version), instance);
    writer.resolving = false;
    this.setName(registered.name, instance);
    state.call(preWrite, instance, version, false);
    writer.resolving = true;
    const names = includedMembers(members, registered);
    writer.resolving = false;
    // What a callback changes at a class is to be seen: shapes have to be found anew.
    if (preWrite) writer.attempts++;
    this.done =
      postWrite &&
      (() => {
        state.call(postWrite, instance, version, false);
        writer.attempts++;
      });
    if (schema) return skips ? differences(schema, skips) : shapes.strict(registered, schema);
    const kept = skips ? names.filter((name) => !skips(name)) : names;
    if (kept.length >= INSTANCE_LIMIT)
      throw new Problem("struct-too-large", `a constructed struct of ${kept.length} members; at most 65,535 can be stored`, instance);
    if (skips) return shapes.passing(registered, version, kept, site);
    const own = !preWrite && !(version > 0 && registered.schema) && inheritsNothing(registered.prototype);
    return shapes.verbose(registered, version, kept, own, members.names, site);
  }

  /** The constructor of the instance that begins. */
  setName(name: string, instance: object): void {
    let known = this.indices.get(name) ?? -1;
    this.name = undefined;
    if (known < this.before) {
      known = this.all++;
      if (known - this.before === INSTANCE_LIMIT) throw new Problem("element-limit", "more than 65,536 constructors", instance);
      this.indices.set(name, known);
      const fault = stringFault(name);
      if (fault) throw new Problem(fault, FAULTS[fault], instance);
      this.name = name;
    }
    this.index = known - this.before;
  }
}
