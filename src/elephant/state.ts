// What callbacks can ask the codec while they run (formats/elephant.md §10). A stack, because a callback may use the codec itself.
import type { CallbackContext, ElephantCallback } from "./constructors.ts";

export class CallbackState {
  private readonly stack: CallbackContext[] = [];

  get current(): CallbackContext | undefined {
    return this.stack[this.stack.length - 1];
  }

  /** Calls a callback, if there is one; whatever it throws goes to the caller of the codec. */
  call(callback: ElephantCallback | undefined, instance: object, schemaVersion: number, isDeserializing: boolean): void {
    if (!callback) return;
    const context: CallbackContext = { schemaVersion, isDeserializing };
    this.stack.push(context);
    try {
      callback.call(instance, context);
    } finally {
      this.stack.pop();
    }
  }
}
