/** Certificates for tests of TLS; they are valid for a hundred years, and nothing trusts their authorities. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from './create-database.ts'

/** The authority that signed both certificates. */
export const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBjjCCATWgAwIBAgIUJnwzXJFkjrY5nPRdxmIFjrSocogwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRVGVzdCBhdXRob3JpdHkgY2EwIBcNMjYxMTI4MDgwMTI4WhgP
MjEyNjExMDQwODAxMjhaMBwxGjAYBgNVBAMMEVRlc3QgYXV0aG9yaXR5IGNhMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEP9BINOgughoFNWL/3LWFwes9dmn0XJSg
HHUxityxV/TwLHF45Xmkfoywtc+ugvBw8bS/PqwCKXI2Smd+cyXvhKNTMFEwHQYD
VR0OBBYEFEp2DhUT1Tomejvbkf1vg10AfSiiMB8GA1UdIwQYMBaAFEp2DhUT1Tom
ejvbkf1vg10AfSiiMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIg
OZV6J3IpGU1sWEabWsbnSsZR24Hn9c1vob5uYGQMRTICIGPoeYEPBivznX5KhBdN
c7TFkhO/GDk4e+sfBzWeBpEq
-----END CERTIFICATE-----`

/** An authority that signed none of them. */
export const OTHER_AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUI3l8K1ZGhf4dmX0x09HA18gFCvQwCgYIKoZIzj0EAwIw
HzEdMBsGA1UEAwwUVGVzdCBhdXRob3JpdHkgb3RoZXIwIBcNMjYxMTI4MDgwMTI4
WhgPMjEyNjExMDQwODAxMjhaMB8xHTAbBgNVBAMMFFRlc3QgYXV0aG9yaXR5IG90
aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfewd71efdcO1T0g9f0kpwLia
foTLf5urlM4dxYFUhyqj9GZtoJHxUnl2DBnl22WzRka4j+1mJTfXRYMEhyZb6aNT
MFEwHQYDVR0OBBYEFGuCcvdSEtZYQPU02WPQyfwtVgLeMB8GA1UdIwQYMBaAFGuC
cvdSEtZYQPU02WPQyfwtVgLeMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
SAAwRQIhAIUZEPOa2Ay4WqGPKpcmmXc9Oxs+T72V3ywyIrBT7bx6AiAQ09/wgHJV
dg3NF27GmRtVq9lgLwcKpPfb3/aWSRZJ9A==
-----END CERTIFICATE-----`

/** A certificate for the name localhost. */
export const FOR_LOCALHOST = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBjTCCATSgAwIBAgIUdLGRBJdAFfECMqJmV8xrAq+IXBswCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRVGVzdCBhdXRob3JpdHkgY2EwIBcNMjYxMTI4MDgwMTI4WhgP
MjEyNjExMDQwODAxMjhaMBYxFDASBgNVBAMMC1Rlc3Qgc2VydmVyMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE/DOMOnTwyfJQh6DqAEgnU1VViFzlxl1fX8cLrsZw
S2VcZy5XleBWalKkiBV1P1hR8l3N/CcIbNliNHlqG1k3UqNYMFYwFAYDVR0RBA0w
C4IJbG9jYWxob3N0MB0GA1UdDgQWBBTGwykTXQgipTsHzodBfrBk6CAgCzAfBgNV
HSMEGDAWgBRKdg4VE9U6Jno725H9b4NdAH0oojAKBggqhkjOPQQDAgNHADBEAiBg
X4aIi+ckDI3ULheF6xXSxJgPgMklFtPXMOsqjnLyCQIgUzYQZ5GPQbdW9uDP3qTw
7AuOLmZz6wMt/44YUjBVbhg=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggvLTOg3V/TjHNcBT
MbUI5r2pJusRX53hN9V3vABS7aihRANCAAT8M4w6dPDJ8lCHoOoASCdTVVWIXOXG
XV9fxwuuxnBLZVxnLleV4FZqUqSIFXU/WFHyXc38Jwhs2WI0eWobWTdS
-----END PRIVATE KEY-----`,
}

/** A certificate for 127.0.0.1 and ::1, and for no name. */
export const FOR_ADDRESSES = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUdLGRBJdAFfECMqJmV8xrAq+IXBwwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRVGVzdCBhdXRob3JpdHkgY2EwIBcNMjYxMTI4MDgwMTI4WhgP
MjEyNjExMDQwODAxMjhaMBYxFDASBgNVBAMMC1Rlc3Qgc2VydmVyMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEwdbEZMO7K6O+ZX5C2972jfjus5FRsjtU1S2oDuAG
AbQUBHOtdlyhU6DRCk79pC6eSx4xuXbiGvng1YWBs4fg96NlMGMwIQYDVR0RBBow
GIcEfwAAAYcQAAAAAAAAAAAAAAAAAAAAATAdBgNVHQ4EFgQUZ5oBN8OJE+w3LFw+
pqeA3FN2mVUwHwYDVR0jBBgwFoAUSnYOFRPVOiZ6O9uR/W+DXQB9KKIwCgYIKoZI
zj0EAwIDSAAwRQIhAIZX8DSQ8xzItHWEv7YsZYiFkeHkhhzz3/M9nGOaGiQIAiBk
usD4XBy303clVdNxG6YH2moQpuqdyDRVGP6Qm9nmcA==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqQxT/ZWxj9IFRzDH
w8RPRqqYIfLjEC/zDd7E5BaXUOGhRANCAATB1sRkw7sro75lfkLb3vaN+O6zkVGy
O1TVLagO4AYBtBQEc612XKFToNEKTv2kLp5LHjG5duIa+eDVhYGzh+D3
-----END PRIVATE KEY-----`,
}

/** The path of a file that holds a text until the test ends. */
export async function writeText(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-certificates-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'text.pem')
  await writeFile(path, text)
  return path
}
