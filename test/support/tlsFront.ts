import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';

/** TLS with a certificate that nobody but itself signed, in front of a server on this machine. */
export interface TlsFront {
  readonly port: number;
  /** SHA-256 of its certificate, 64 hexadecimal digits. */
  readonly fingerprint: string;
  close(): Promise<void>;
}

/** @param behind the port of the server that it stands in front of */
export async function tlsFront(behind: number): Promise<TlsFront> {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-tls-'));
  const line = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=internal.test -keyout key.pem -out cert.pem';
  execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' });
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)));
  rmSync(folder, { recursive: true });
  const sockets = new Set<Socket>();
  const server = createServer({ key, cert }, (socket) => {
    const inner = connect(behind, '127.0.0.1');
    for (const each of [socket, inner]) {
      sockets.add(each);
      each.on('error', () => undefined).on('close', () => [socket, inner].forEach((both) => both.destroy()));
    }
    socket.pipe(inner).pipe(socket);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    fingerprint: new X509Certificate(cert ?? '').fingerprint256.replaceAll(':', ''),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
