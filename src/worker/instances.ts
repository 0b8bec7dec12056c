// Objects of classes on their way to another thread. Structured cloning makes plain objects of them; what they were travels beside the value
// and they are made anew where they arrive. Within one message the clone keeps identity, so a mark can simply name the container.
import { isObject } from "../elephant/arguments.ts";
import { type ElephantConstructor, StructInstance, setStoredAs } from "../elephant/constructors.ts";
import { isScalar, Scalar, type ScalarDatatype } from "../elephant/datatypes.ts";
import { giveMember } from "../elephant/members.ts";
import { NanBits } from "../enigma/model.ts";
import { setMember } from "../graph/members.ts";

/** Registered classes by name, on either side. */
export type Classes = Record<string, unknown>;

/** What an object was: `clone` is what has become of it. */
type Special =
  | { readonly kind: "scalar"; readonly datatype: string; readonly value: unknown }
  | { readonly kind: "nan"; readonly bits: string }
  | { readonly kind: "stand-in"; readonly name: string; readonly version: number; readonly verbose: boolean; readonly clone: object }
  | { readonly kind: "class"; readonly name: string; readonly clone: object };

/** The objects, and every place where one stands. */
export interface Marks {
  readonly objects: Special[];
  readonly places: (readonly [container: object, key: string | number, special: number])[];
}

type Members = Record<string | number, unknown>;

/** Marks for all objects of classes in `value` (an array or plain object); undefined when there are none. */
export function marksOf(value: object, classes: Classes): Marks | undefined {
  const names = new Map<object, string>();
  for (const [name, type] of Object.entries(classes)) {
    // Of several names the first is written.
    if (typeof type === "function" && !names.has(type.prototype as object)) names.set(type.prototype as object, name);
  }
  const objects: Special[] = [];
  const places: Marks["places"] = [];
  /** What has been visited, with its number if it is one of `objects`. */
  const known = new Map<object, number | undefined>([[value, undefined]]);
  const open: object[] = [value];

  const describe = (object: object): Special | undefined => {
    if (isScalar(object)) return { kind: "scalar", datatype: object.datatype, value: object.value };
    if (object instanceof NanBits) return { kind: "nan", bits: object.bits };
    if (object instanceof StructInstance)
      return {
        kind: "stand-in",
        name: StructInstance.nameOf(object),
        version: StructInstance.versionOf(object),
        verbose: StructInstance.verboseOf(object),
        clone: object,
      };
    const name = names.get(Object.getPrototypeOf(object) as object);
    return name === undefined ? undefined : { kind: "class", name, clone: object };
  };

  const visit = (container: object, key: string | number, member: unknown): void => {
    // Of an own class they would be without contents: to the codec, too, a typed array is one of its class.
    if (!isObject(member) || ArrayBuffer.isView(member) || member instanceof ArrayBuffer) return;
    if (!known.has(member)) {
      const special = describe(member);
      known.set(member, special && objects.push(special) - 1);
      if (!special || "clone" in special) open.push(member);
    }
    const index = known.get(member);
    if (index !== undefined) places.push([container, key, index]);
  };

  for (let container = open.pop(); container; container = open.pop()) {
    let dense = 0;
    if (Array.isArray(container)) {
      for (; dense < container.length && dense in container; dense++) visit(container, dense, container[dense]);
      // What it has beside its elements would be found among the names of them all: for numbers, they take as long as cloning.
      if (dense === container.length) continue;
    }
    // Behind its first hole an array is walked by what it has: there may be billions of holes. Indices come before all other keys.
    for (const key of Object.keys(container).slice(dense)) visit(container, key, (container as Members)[key]);
  }
  return objects.length > 0 ? { objects, places } : undefined;
}

/** Puts the objects back where the marks say. An instance of a class that is not registered here becomes a {@link StructInstance}. */
export function revive(marks: Marks | undefined, classes: Classes): void {
  if (!marks) return;
  const made = marks.objects.map((special): object => {
    if (special.kind === "scalar") return Scalar(special.datatype as ScalarDatatype, special.value as number);
    if (special.kind === "nan") return new NanBits(special.bits);
    const type = Object.hasOwn(classes, special.name) ? classes[special.name] : undefined;
    if (typeof type === "function") return new (type as ElephantConstructor)();
    const standIn = new StructInstance(special.name);
    if (special.kind === "stand-in") setStoredAs(standIn, special.version, special.verbose);
    return standIn;
  });
  for (const [container, key, index] of marks.places) setMember(container as Members, key, made[index]);
  marks.objects.forEach((special, i) => {
    if (!("clone" in special)) return;
    for (const key of Object.keys(special.clone)) giveMember(made[i], key, (special.clone as Members)[key]);
  });
}
