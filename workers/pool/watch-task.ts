/** Follows a task of the pool, for log lines and spans; tasks are followed from where they are asked for. */
export type WatchTask = <Result>(task: 'render' | 'diff' | 'image', work: Promise<Result>) => Promise<Result>

/** Follows nothing. */
export const UNWATCHED: WatchTask = (_task, work) => work
