/** Two nodes on a database without an organization, and a link to set one up. */

import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../../db/connection/connect.ts'
import { createSetupLink } from '../../../server/changes/organization/set-up.ts'
import { Passwords } from '../../../server/changes/passwords.ts'
import { readConfig } from '../../../server/config.ts'
import { createLogger } from '../../../server/logger.ts'
import { startNode } from '../../../server/node/node.ts'
import { createDatabase, type TestContext } from '../databases/create-database.ts'
import { redisUrl, transportSetting } from './environment.ts'

/** Two nodes without an organization, and the path of a link. */
export async function startEmpty(t: TestContext) {
  const databaseUrl = await createDatabase(t)
  const name = new URL(databaseUrl).pathname.slice(1)
  const dataFolder = join(tmpdir(), `parley-${name}`)
  t.teardown(() => rm(dataFolder, { recursive: true, force: true }))
  const env = {
    DATA_DIR: dataFolder,
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_CONNECTIONS: '4',
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: name,
    RATE_LIMIT_LOGINS_PER_MINUTE: '1000',
    ...transportSetting(),
  }
  const config = { ...readConfig(env), databaseUrl }
  const start = async () => {
    const node = await startNode({
      config,
      logger: createLogger('error'),
      passwords: new Passwords({ N: 2 ** 10 }),
    })
    t.teardown(() => node.close())
    return node
  }
  const nodes = [await start(), await start()] as const
  const sql = connect(databaseUrl, 1, 'parley-test')
  t.teardown(() => sql.end())
  const { url } = await createSetupLink(sql, nodes[0].url)
  return { nodes, sql, path: new URL(url).pathname }
}
