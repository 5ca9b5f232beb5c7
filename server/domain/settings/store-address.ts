/** The address of an object store, from the operator's settings. */

/** A bucket of a store that speaks S3, with the credentials for it. */
export interface StoreAddress {
  /** The origin of the store, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** The start of every name in the bucket; empty, or with a slash at its end. */
  readonly prefix: string
  /** Whether the bucket is in the path of an address rather than in its host. */
  readonly isPathStyle: boolean
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

/** The variables that S3's own tools read; the address goes before them. */
export interface StoreVariables {
  readonly AWS_ACCESS_KEY_ID?: string | undefined
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined
  readonly AWS_SESSION_TOKEN?: string | undefined
  readonly AWS_REGION?: string | undefined
  readonly AWS_DEFAULT_REGION?: string | undefined
  readonly AWS_ENDPOINT_URL_S3?: string | undefined
}

const FORM = 's3://[KEY:SECRET@]BUCKET[/PREFIX][?endpoint=…&region=…&path_style=…]'
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{1,40}$/
/** Characters that need no escape anywhere. */
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9_.-]*(\/[A-Za-z0-9][A-Za-z0-9_.-]*)*$/
/** Characters of a prefix: names in a bucket have 1,024 at most. */
const PREFIX_LENGTH_MAX = 200
const PARAMETERS: readonly string[] = ['endpoint', 'region', 'path_style']

/** Reads an address; or the problem with it, as the end of a sentence that begins with the setting's name. */
export function readStoreAddress(text: string, variables: StoreVariables): StoreAddress | string {
  if (!text.startsWith('s3://')) return `must be an address of the form ${FORM}`
  if (!URL.canParse(text)) return `must be of the form ${FORM}; write a / in the secret as %2F`
  const url = new URL(text)
  const given = new Map(url.searchParams)
  const unknown = [...given.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) return `has the parameter ${unknown}; there are ${PARAMETERS.join(', ')}`
  const bucket = url.hostname
  if (!BUCKET.test(bucket) || url.port !== '') return `must name a bucket after s3://, as in ${FORM}`
  const prefix = url.pathname.replace(/^\//, '').replace(/\/$/, '')
  if (prefix !== '' && (!PREFIX.test(prefix) || prefix.length > PREFIX_LENGTH_MAX))
    return `must have a prefix of letters, digits, '_', '.', '-' and '/' only`
  const region = given.get('region') ?? variables.AWS_REGION ?? variables.AWS_DEFAULT_REGION ?? 'us-east-1'
  if (!REGION.test(region)) return 'must have a region such as eu-central-1'
  const own = given.get('endpoint') ?? variables.AWS_ENDPOINT_URL_S3
  const endpoint = own === undefined ? `https://s3.${region}.amazonaws.com` : readEndpoint(own)
  if (endpoint === undefined)
    return 'must have an endpoint that is an origin such as https://store.example.com:9000'
  const style = given.get('path_style')
  if (style !== undefined && style !== 'on' && style !== 'off')
    return 'must have path_style=on or path_style=off'
  const credentials = readCredentials(url, variables)
  if (credentials === undefined)
    return 'must hold KEY:SECRET@, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set'
  return {
    endpoint,
    region,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    // A certificate for all buckets covers no bucket with a dot.
    isPathStyle: style === undefined ? own !== undefined || bucket.includes('.') : style === 'on',
    ...credentials,
  }
}

function readCredentials(url: URL, variables: StoreVariables) {
  if (url.username !== '' && url.password !== '') {
    const [accessKeyId, secretAccessKey] = [decode(url.username), decode(url.password)]
    if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
    return { accessKeyId, secretAccessKey, sessionToken: undefined }
  }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables
  if (url.username !== '' || !accessKeyId || !secretAccessKey) return undefined
  return { accessKeyId, secretAccessKey, sessionToken: variables.AWS_SESSION_TOKEN || undefined }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // A malformed escape.
  }
}

function readEndpoint(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, username, pathname, search, hash } = new URL(text)
  const isOrigin = (protocol === 'https:' || protocol === 'http:') && username === '' && pathname === '/'
  return isOrigin && search === '' && hash === '' ? origin : undefined
}

/** The origin of a bucket's objects. */
export function bucketOrigin({ endpoint, bucket, isPathStyle }: StoreAddress): string {
  const url = new URL(endpoint)
  if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`
  return url.origin
}
