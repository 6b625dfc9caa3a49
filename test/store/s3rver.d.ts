declare module '@20minutes/s3rver' {
  /** The parts of the S3 server for tests that are used here; the package has no types. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      configureBuckets: { name: string }[]
    })
    readonly store: {
      getMetadata: (bucket: string, key: string) => Promise<{ etag: string; 'content-length': number }>
      listObjects: (
        bucket: string,
        options: { prefix?: string; startAfter?: string; maxKeys?: number },
      ) => Promise<{
        objects: { key: string; size: number; lastModifiedDate: Date; metadata: { etag: string } }[]
        commonPrefixes: string[]
        isTruncated: boolean
      }>
      getResourcePath: (bucket: string, key: string, resource: string) => string
      putContent: (path: string, content: Buffer | NodeJS.ReadableStream) => Promise<[bytes: number, md5: string]>
      putMetadata: (bucket: string, key: string, metadata: object, md5?: string) => Promise<void>
    }
    run: () => Promise<{ address: string; port: number }>
    close: () => Promise<void>
  }
}
