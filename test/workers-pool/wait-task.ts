/** A task that takes time without the processor, as on a machine that gives it none. */

const cell = new Int32Array(new SharedArrayBuffer(4))

export default function wait(ms: number): number {
  Atomics.wait(cell, 0, 0, ms)
  return ms
}
