import { isoCBOR } from '@simplewebauthn/server/helpers'
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** What somebody may get wrong, or send on purpose. */
export interface Lies {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  /** UP is 1, UV is 4. */
  flags?: number
  signCount?: number
  userHandle?: string | null
  id?: string
  signature?: (signature: Buffer) => Buffer
}

export interface NewLies extends Lies {
  publicKey?: KeyObject | Buffer
  /** Of a format that is not `none`. */
  statement?: { fmt: string; attStmt: Map<string, unknown> } | 'self'
}

const generators = {
  [-7]: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  [-8]: () => generateKeyPairSync('ed25519'),
  [-257]: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (bytes: Buffer) => bytes.toString('base64url')

/** COSE (RFC 9053, RFC 8812). */
function coseOf(key: KeyObject, algorithm: number): Buffer {
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' })
  const bytes = (text?: string) => new Uint8Array(Buffer.from(text!, 'base64url'))
  const curve = { 'P-256': 1, 'P-384': 2, Ed25519: 6, secp256k1: 8 }[crv ?? ''] ?? 0
  const fields: [number, number | Uint8Array][] =
    kty === 'RSA'
      ? [[1, 3], [3, algorithm], [-1, bytes(n)], [-2, bytes(e)]] // oxfmt-ignore
      : [[1, kty === 'EC' ? 2 : 1], [3, algorithm], [-1, curve], [-2, bytes(x)]] // oxfmt-ignore
  if (y) fields.push([-3, bytes(y)])
  return Buffer.from(isoCBOR.encode(new Map(fields)))
}

/** A passkey in software that signs for real. The credentials are what a browser sends as JSON. */
export class Authenticator {
  readonly id = text(randomBytes(24))
  userHandle = ''
  private signCount = 0
  private readonly publicKey: KeyObject
  private readonly privateKey: KeyObject

  constructor(
    readonly origin: string,
    readonly algorithm: keyof typeof generators = -7,
  ) {
    ;({ publicKey: this.publicKey, privateKey: this.privateKey } = generators[algorithm]())
  }

  create(options: { challenge: string; user?: { id: string } }, lies: NewLies = {}): string {
    this.userHandle = options.user?.id ?? ''
    const { publicKey = this.publicKey, statement = { fmt: 'none', attStmt: new Map() } } = lies
    const id = Buffer.from(this.id, 'base64url')
    const key = Buffer.isBuffer(publicKey) ? publicKey : coseOf(publicKey, this.algorithm)
    const clientDataJSON = this.clientData('webauthn.create', options.challenge, lies)
    const data = this.data(0x45, lies)
    const authData = Buffer.concat([data, Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
    const sig = this.sign(authData, clientDataJSON)
    const { fmt, attStmt } =
      statement === 'self'
        ? { fmt: 'packed', attStmt: new Map<string, unknown>([['alg', this.algorithm], ['sig', new Uint8Array(sig)]]) } // oxfmt-ignore
        : statement
    const object = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', new Uint8Array(authData)],
    ])
    return JSON.stringify({
      id: lies.id ?? this.id,
      rawId: lies.id ?? this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        attestationObject: text(Buffer.from(isoCBOR.encode(object as Parameters<typeof isoCBOR.encode>[0]))),
        transports: ['internal'],
      },
    })
  }

  get({ challenge }: { challenge: string }, lies: Lies = {}): string {
    this.signCount += 1
    const clientDataJSON = this.clientData('webauthn.get', challenge, lies)
    const data = this.data(0x05, lies)
    const signature = this.sign(data, clientDataJSON)
    return JSON.stringify({
      id: lies.id ?? this.id,
      rawId: lies.id ?? this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData: text(data),
        signature: text(lies.signature ? lies.signature(signature) : signature),
        userHandle: lies.userHandle === undefined ? this.userHandle : lies.userHandle,
      },
    })
  }

  private sign(data: Buffer, clientDataJSON: string): Buffer {
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return sign(this.algorithm === -8 ? null : 'sha256', signed, this.privateKey)
  }

  private clientData(type: string, challenge: string, lies: Lies): string {
    const { origin = this.origin, crossOrigin = false } = lies
    const data = { type: lies.type ?? type, challenge: lies.challenge ?? challenge, origin, crossOrigin }
    return text(Buffer.from(JSON.stringify(data)))
  }

  private data(flags: number, lies: Lies): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lies.signCount ?? this.signCount)
    const rpId = lies.rpId ?? new URL(this.origin).hostname
    return Buffer.concat([sha256(rpId), Buffer.from([lies.flags ?? flags]), count])
  }
}
