export function writeInstances(): void {}
