/** Reads the answers of an object store: the few elements that are needed, from XML that is flat below them. */

/** An object in a listing. */
export interface ListedObject {
  readonly name: string
  readonly bytes: number
  readonly changedAtMs: number
}

/** A multipart upload in a listing. */
export interface ListedUpload {
  readonly name: string
  readonly uploadId: string
  readonly beganAtMs: number
}

/** A page of a listing. */
export interface ListedPage<Item> {
  readonly items: readonly Item[]
  /** Parameters of the request for the next page; undefined after the last one. */
  readonly next: Readonly<Record<string, string>> | undefined
}

/** The code of a failure, such as `NoSuchKey`; empty if the answer has none. */
export function readFailureCode(xml: string): string {
  return /^\s*(<\?xml[^>]*>\s*)?<Error[\s>]/.test(xml) ? (readText(xml, 'Code') ?? '') : ''
}

/** The id of a multipart upload that begins. */
export function readUploadId(xml: string): string {
  return needText(xml, 'UploadId')
}

export function readObjects(xml: string): ListedPage<ListedObject> {
  const items = readBlocks(xml, 'Contents').map((block) => ({
    name: needText(block, 'Key'),
    bytes: Number(needText(block, 'Size')),
    changedAtMs: Date.parse(needText(block, 'LastModified')),
  }))
  const token = readText(xml, 'NextContinuationToken')
  return { items, next: token === undefined ? undefined : { 'continuation-token': token } }
}

export function readUploads(xml: string): ListedPage<ListedUpload> {
  const items = readBlocks(xml, 'Upload').map((block) => ({
    name: needText(block, 'Key'),
    uploadId: needText(block, 'UploadId'),
    beganAtMs: Date.parse(needText(block, 'Initiated')),
  }))
  const isTruncated = readText(xml, 'IsTruncated') === 'true'
  const [key, id] = [readText(xml, 'NextKeyMarker'), readText(xml, 'NextUploadIdMarker')]
  const isMore = isTruncated && key !== undefined && id !== undefined
  return { items, next: isMore ? { 'key-marker': key, 'upload-id-marker': id } : undefined }
}

/** The contents of all elements of a name. */
function readBlocks(xml: string, name: string): string[] {
  const blocks: string[] = []
  for (let end = 0; ; ) {
    const start = xml.indexOf(`<${name}>`, end)
    if (start < 0) return blocks
    end = xml.indexOf(`</${name}>`, start)
    if (end < 0) throw new Error(`the object store answers with an unfinished ${name}`)
    blocks.push(xml.slice(start + name.length + 2, end))
  }
}

/** The text of the first element of a name. */
function readText(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? undefined : unescape(xml.slice(start + name.length + 2, end))
}

function needText(xml: string, name: string): string {
  const text = readText(xml, name)
  if (text === undefined || text === '') throw new Error(`the object store answers without ${name}`)
  return text
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#34': '"',
}

function unescape(text: string): string {
  return text.replace(/&([a-z]+|#34);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
