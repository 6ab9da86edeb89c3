// In place of the package `jose` in the bundle: what the SDK uses of it.
export { exportJWK } from 'jose/key/export';
export { generateKeyPair } from 'jose/key/generate/keypair';
export { importJWK, importPKCS8 } from 'jose/key/import';
export { SignJWT } from 'jose/jwt/sign';
export { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
