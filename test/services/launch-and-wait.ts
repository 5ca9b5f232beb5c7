/** A process that tests kill: launches the named service on a data folder, reports it, and waits. */
import { launchPostgres } from '../../server/services/launch-postgres.ts'
import { launchRedis } from '../../server/services/launch-redis.ts'

const [service, dataFolder = ''] = process.argv.slice(2)
const launched =
  service === 'redis' ? await launchRedis({ dataFolder }) : await launchPostgres({ dataFolder })
console.log(launched?.url)
setInterval(() => undefined, 60_000)
