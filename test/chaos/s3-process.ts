import { startS3 } from '../store/s3-server.ts'

/** The S3 server as a process of its own, so that it can be killed: `s3-process.js <folder> <port>`. */
const [folder = '', port = '0'] = process.argv.slice(2)
const { url } = await startS3(folder, { port: Number(port) })
process.stdout.write(`${url}\n`)
