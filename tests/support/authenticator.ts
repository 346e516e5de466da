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

const generators = {
  [-7]: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  [-8]: () => generateKeyPairSync('ed25519'),
  [-257]: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (bytes: Buffer) => bytes.toString('base64url')

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

  create(options: { challenge: string; user?: { id: string } }, lies: Lies & { publicKey?: string } = {}): string {
    this.userHandle = options.user?.id ?? ''
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, Buffer.from('a0', 'hex')])
    return JSON.stringify({
      id: lies.id ?? this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.clientData('webauthn.create', options.challenge, lies),
        authenticatorData: text(Buffer.concat([this.data(0x45, lies), attested])),
        publicKey: lies.publicKey ?? text(this.publicKey.export({ type: 'spki', format: 'der' })),
        publicKeyAlgorithm: this.algorithm,
        transports: ['internal'],
      },
    })
  }

  get({ challenge }: { challenge: string }, lies: Lies = {}): string {
    this.signCount += 1
    const clientDataJSON = this.clientData('webauthn.get', challenge, lies)
    const data = this.data(0x05, lies)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const signature = sign(this.algorithm === -8 ? null : 'sha256', signed, this.privateKey)
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
