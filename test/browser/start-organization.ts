/** A server with the busy organization of `fill-organization.ts`, with pictures, and a browser. */

import sharp from 'sharp'
import { connect } from '../../db/connection/connect.ts'
import { startChromium } from '../harness/browser/chromium.ts'
import { mustUpload } from '../harness/client/upload.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { adminDatabaseUrl, databaseUrl, TEMPLATES } from '../harness/servers/environment.ts'
import { type Person, startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { fillOrganization } from './fill-organization.ts'
import { openTeam, type Team } from './team.ts'

/** Any number that no other lock of the maintenance database has. */
const TEMPLATE_LOCK = 7_305_114

/** Starts a server from the template of the run; `member` has not read for a while. */
export async function startOrganization(t: TestContext): Promise<TestServer> {
  await makeTemplate()
  const server = await startTestServer(t, { template: 'organization' })
  await addPictures(server)
  return server
}

/** The same with a browser. */
export async function startBusyTeam(t: TestContext): Promise<Team> {
  const server = await startOrganization(t)
  const browser = await startChromium(t)
  return { server, browser, openAs: await openTeam({ ...server, url: server.node.url }, browser) }
}

/** Makes the template, unless another file of this run has made it. A run that fails half-way leaves none. */
async function makeTemplate(): Promise<void> {
  const name = TEMPLATES.organization
  const admin = connect(adminDatabaseUrl(), 1, 'parley-test')
  try {
    await admin`select pg_advisory_lock(${TEMPLATE_LOCK})`
    const [found] = await admin`select from pg_database where datname = ${name}`
    if (found) return
    const draft = `${name}_draft`
    await admin.unsafe(`drop database if exists ${draft}`)
    await admin.unsafe(`create database ${draft} template ${TEMPLATES.people} strategy file_copy`)
    await fillOrganization(databaseUrl(draft))
    await admin.unsafe(`alter database ${draft} rename to ${name}`)
  } finally {
    await admin.end()
  }
}

/** Colours of faces: background, hair, skin, clothes. */
const FACES: readonly (readonly [Person, string, string, string, string])[] = [
  ['owner', '#d9d2ea', '#5b4a8a', '#d9a98c', '#4a3f77'],
  ['administrator', '#cfe0e6', '#2a2a30', '#c99673', '#c08a2a'],
  ['moderator', '#cfd9d2', '#1e1e22', '#e0b592', '#c96a3c'],
  ['guest', '#e8dfb8', '#1d1d1d', '#6e4a33', '#2f6a9f'],
]

/** Files are on the disk of a server, so they are not in the template. */
async function addPictures(server: TestServer): Promise<void> {
  for (const [person, ...colors] of FACES)
    await mustUpload(server.as(person), '/users/me/avatar', await drawFace(colors))
  const owner = server.as('owner')
  const addresses: string[] = []
  for (const [name, color] of [
    ['trace.png', '#0b7a75'],
    ['before.png', '#c2691c'],
  ] as const)
    addresses.push(`[${name}](${await mustPostFile(owner, await drawChart(color), name)})`)
  await owner.send('design', 'Release 2.4', addresses.join('\n'))
  await owner.send('engineering', 'Flaky uploads', `Before and after the change:\n${addresses[0]}`)
}

/** Head, hair and shoulders. */
function drawFace([background, hair, skin, clothes]: readonly string[]): Promise<Buffer> {
  const isWithin = (x: number, y: number, [cx, cy, rx, ry]: readonly [number, number, number, number]) =>
    ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1
  return drawPixels(100, 100, (x, y) => {
    if (y > 34 && isWithin(x, y, [50, 47, 17, 21])) return skin
    if (isWithin(x, y, [50, 40, 26, 28])) return hair
    return isWithin(x, y, [50, 102, 38, 34]) ? clothes : background
  })
}

/** Bars. */
function drawChart(color: string): Promise<Buffer> {
  return drawPixels(640, 360, (x, y) =>
    x % 43 > 12 && y > 330 - ((Math.floor(x / 43) * 53) % 250) ? color : '#ffffff',
  )
}

/** A picture with the colour of each point, such as `#0b7a75`. */
function drawPixels(
  width: number,
  height: number,
  colorAt: (x: number, y: number) => string | undefined,
): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let index = 0; index < width * height; index++) {
    const color = colorAt(index % width, Math.floor(index / width)) ?? '#000000'
    pixels.writeUIntBE(Number.parseInt(color.slice(1), 16), index * 3, 3)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}
