/** The composition root: builds a web node in order, and closes it in reverse. */

import type { AdmitContext } from '../api/admit.ts'
import type { DemoLogins, Services } from '../api/services.ts'
import { Passwords } from '../changes/passwords.ts'
import type { Clock } from '../domain/clock.ts'
import type { Logger } from '../logger.ts'
import type { Metric } from '../measures/metric.ts'
import { COMPATIBLE_VERSION, FEATURE_LEVEL } from '../views/names.ts'
import { startActors } from './actors.ts'
import { Closers } from './closers.ts'
import { openConnections } from './connections.ts'
import { type NodeConfig, openContext } from './node-context.ts'
import { serve, type Serving } from './serve.ts'
import { openServices } from './services.ts'
import { startUpkeep } from './upkeep.ts'

/** The parts that a node is built from. */
export interface NodeOptions {
  readonly config: NodeConfig
  readonly logger: Logger
  readonly clock?: Clock
  readonly observe?: AdmitContext['observe']
  readonly passwords?: Passwords
  /** A change of it announces a new server to clients. */
  readonly release?: string
  /** Metrics of other parts of the process, for `/metrics`. */
  readonly moreMetrics?: readonly Metric[]
  /** The accounts of the demo, and the token of the link to them. */
  readonly demo?: DemoLogins | undefined
  /** The database lost entries that this process holds: the process must restart. The node ends open waits first. */
  readonly onLost?: (reason: string) => void
}

/** A running web node. */
export interface WebNode extends Serving {
  readonly services: Services
}

/** Builds a node; resolves once it listens. */
export async function startNode(options: NodeOptions): Promise<WebNode> {
  const closers = new Closers()
  try {
    return await build(options, closers)
  } catch (error) {
    const onError = (failure: unknown) => options.logger.error({ err: failure }, 'closing failed')
    await closers.closeAll().catch(onError)
    throw error
  }
}

async function build(
  {
    config,
    logger,
    clock,
    observe,
    passwords = new Passwords(),
    release = `${COMPATIBLE_VERSION} (${FEATURE_LEVEL})`,
    moreMetrics = [],
    demo,
    onLost = () => {},
  }: NodeOptions,
  closers: Closers,
): Promise<WebNode> {
  const context = openContext({ config, logger, closers })
  const connections = await openConnections(context, clock)
  const actors = await startActors(context, connections, { clock, onLost })
  const upkeep = await startUpkeep(context, connections, actors)
  const foundations = { ...connections, ...actors, ...upkeep, passwords, release, demo }
  const services = await openServices(context, foundations)
  const serving = await serve(context, { ...foundations, ...services, observe, moreMetrics })
  return { ...serving, services: services.services }
}
