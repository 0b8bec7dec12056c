// May this realm turn text into functions? Pages with a policy may not; the codec then uses closures. Nothing ever needs it.
let allowed: boolean | undefined;

export function codeGenerationAllowed(): boolean {
  if (allowed === undefined) {
    try {
      allowed = new Function("return 1")() === 1;
    } catch {
      allowed = false;
    }
  }
  return allowed;
}
