/** Node's codes for the certificate of a server that is not accepted. */

const CODES = /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/

/** Whether an error reports such a certificate: nothing was sent. */
export function isCertificateRefused(error: unknown): boolean {
  return error instanceof Error && CODES.test((error as NodeJS.ErrnoException).code ?? '')
}
