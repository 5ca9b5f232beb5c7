/** Progress of a long command, on standard error: the standard output has only the result. */

/** Milliseconds between lines. */
const PERIOD_MS = 5_000

/** Counts of a running command. */
export class Progress<Step extends string = string> {
  rows = 0
  files = 0
  /** Bytes of rows and files, uncompressed. */
  bytes = 0
  /** The part of the work that is running. */
  step = 'starting' as Step
  readonly #timer: NodeJS.Timeout

  constructor(name: string) {
    this.#timer = setInterval(() => {
      const mib = Math.floor(this.bytes / 1024 / 1024)
      process.stderr.write(
        `${name}: ${this.step}; ${this.rows} rows, ${this.files} files, ${mib} MiB so far\n`,
      )
    }, PERIOD_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
