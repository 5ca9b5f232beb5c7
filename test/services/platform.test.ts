/** Programs that packages bring for some platforms only. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { canReadPictures, PLATFORM } from '../../server/services/platform.ts'

/** A PNG of four red pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWP4z8DwnwGM/zMwAAAf7gP9qS/A4gAAAABJRU5ErkJggg=='

t.test('[PLAT1] the platform has the name that packages of programs have', async (t) => {
  t.match(PLATFORM, /^(linux|linuxmusl|darwin)-(x64|arm64)$/)
  t.equal(canReadPictures(), true)
  t.equal(canReadPictures('aix-ppc64'), false)
})

t.test('[PLAT2] without its library, a picture is refused as undecodable', async (t) => {
  const task = join(import.meta.dirname, '../../workers/pool/images/image-task.ts')
  const program = `
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve(name, context, next) {
        if (name === 'sharp') throw new Error('no such library')
        return next(name, context)
      },
    })
    const { default: drawImage } = await import(${JSON.stringify(task)})
    const bytes = Buffer.from('${PICTURE}', 'base64')
    console.log(JSON.stringify(await drawImage({ kind: 'avatar', bytes })))`
  const args = ['--input-type=module', '--eval', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  t.equal(stdout, '{"kind":"undecodable"}\n', stderr)
})
