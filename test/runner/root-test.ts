/** The parent of the tests in the running file: the default export of `tap` for it. */

let current: unknown

export function setRootTest(test: unknown): void {
  current = test
}

export function rootTest(): unknown {
  if (current === undefined) throw new Error('no test file is being run')
  return current
}
