// A first look at a graph: how many containers it has and which of them occur more than once. Deep graphs take no host stack.
import { LargeSet } from "./large-maps.ts";
import { isContainer, type Vocabulary } from "./vocabulary.ts";

export interface GraphOutline {
  readonly containers: number;
  readonly shared: ReadonlySet<object>;
}

/** Calls `visit` for each array and struct once, parents before their children, mostly in the order of the text. */
export function forEachContainer(
  root: unknown,
  vocabulary: Vocabulary,
  visit: (container: object) => void,
  again?: (container: object) => void,
): void {
  if (!isContainer(root, vocabulary)) return;
  const seen = new LargeSet();
  seen.add(root);
  const open: object[] = [root];
  while (open.length > 0) {
    const container = open.pop()!;
    visit(container);
    const children: unknown[] = Array.isArray(container) ? container : Object.values(container);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (typeof child !== "object" || child === null || !isContainer(child, vocabulary)) continue;
      if (seen.has(child)) again?.(child);
      else {
        seen.add(child);
        open.push(child);
      }
    }
  }
}

export function outline(root: unknown, vocabulary: Vocabulary): GraphOutline {
  let containers = 0;
  const shared = new Set<object>();
  forEachContainer(
    root,
    vocabulary,
    () => containers++,
    (container) => shared.add(container),
  );
  return { containers, shared };
}
