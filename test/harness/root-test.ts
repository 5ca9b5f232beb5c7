/** The test that the file being run hangs its own on: what it gets as the default export of `tap`. */

let current: unknown

export function setRootTest(test: unknown): void {
  current = test
}

export function rootTest(): unknown {
  if (current === undefined) throw new Error('no test file is being run')
  return current
}
