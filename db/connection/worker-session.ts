/** Sessions of workers: PostgreSQL ends them with the process, however that ends. */

/** The setting of a session that names its worker. */
export const WORKER_SETTING = 'parley.worker'
/** The namespace of the advisory locks of workers. */
export const WORKERS_LOCK = 7_203_553

/** The statement that makes a session one of a worker; it waits while another worker ends the claims of one with that id. */
export const workerStatement = (id: number): string =>
  `set ${WORKER_SETTING} to ${id}; select pg_advisory_lock_shared(${WORKERS_LOCK}, ${id})`
