/**
 * A process with an S3 server: s3rver, with the calls and the checks that it lacks. Arguments: the folder of its objects,
 * and its port. Prints the port once it listens.
 */

import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from 's3rver'
import S3Error from 's3rver/lib/models/error.js'

const PART_BYTES_MIN = 5 * 1024 * 1024

const [directory, port] = process.argv.slice(2)
const app = new S3rver({
  directory,
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  configureBuckets: [{ name: 'files' }],
})
/** While this file exists, the answer to the next joining of parts is lost. */
const losesAnswer = join(directory, '._loses_answer')
const folderOf = (bucket, uploadId = '') => join(directory, bucket, '._S3rver_uploads', uploadId)

function requireUpload(bucket, uploadId) {
  const folder = folderOf(bucket, uploadId)
  if (!existsSync(folder)) throw new S3Error('NoSuchUpload', 'There is no such upload.')
  return folder
}

const { store } = app
const { putPart, putObjectMultipart } = store
store.putPart = (bucket, uploadId, ...part) => {
  requireUpload(bucket, uploadId)
  return putPart.call(store, bucket, uploadId, ...part)
}
store.putObjectMultipart = async (bucket, uploadId, parts) => {
  const folder = requireUpload(bucket, uploadId)
  for (const [index, { number, etag }] of parts.entries()) {
    const sum = await readFile(join(folder, `${number}.md5`), 'utf8').catch(() => '')
    if (sum !== etag) throw new S3Error('InvalidPart', 'A part is not as named.')
    const { size } = await stat(join(folder, String(number)))
    if (index < parts.length - 1 && size < PART_BYTES_MIN)
      throw new S3Error('EntityTooSmall', 'A part is small.')
  }
  return putObjectMultipart.call(store, bucket, uploadId, parts)
}

async function listUploads(bucket) {
  const ids = await readdir(folderOf(bucket)).catch(() => [])
  const uploads = ids.map(async (id) => {
    const key = await readFile(join(folderOf(bucket, id), 'key'), 'utf8')
    const { birthtime } = await stat(folderOf(bucket, id))
    const began = `<Initiated>${birthtime.toISOString()}</Initiated>`
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId>${began}</Upload>`
  })
  const items = (await Promise.all(uploads)).join('')
  return `<ListMultipartUploadsResult>${items}<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`
}

app.middleware.unshift(async (ctx, next) => {
  const bucket = ctx.path.split('/')[1]
  const { uploadId, uploads } = ctx.query
  if (ctx.method === 'GET' && uploads !== undefined) {
    ctx.type = 'application/xml'
    ctx.body = await listUploads(bucket)
  } else if (ctx.method === 'DELETE' && uploadId !== undefined) {
    await rm(folderOf(bucket, uploadId), { recursive: true, force: true })
    ctx.status = 204
  } else await next()
  if (ctx.method === 'POST' && uploadId !== undefined && existsSync(losesAnswer)) {
    await rm(losesAnswer)
    ctx.req.socket.destroy()
  }
})

const { port: taken } = await app.run()
process.stdout.write(`${taken}\n`)
