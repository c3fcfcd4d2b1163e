import { selfSignedCertificate, type Certificate } from '../certificate-authority.ts';
import tls from 'node:tls';

let made: Certificate | undefined;

/** Returns the certificate of this process for `https://127.0.0.1`. From now on this process trusts it. */
export const loopbackCertificate = (): Certificate => {
  if (made === undefined) {
    made = selfSignedCertificate();
    // eslint-disable-next-line n/no-unsupported-features/node-builtins -- tests run on the Node of the applications
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), made.cert]);
  }
  return made;
};
