export { cachedFolder } from './cached-folder.ts';
export {
  CertificateAuthority,
  selfSignedCertificate,
  type Certificate,
} from './certificate-authority.ts';
export { debianProgram } from './debian-program.ts';
export { freePort, freePorts } from './free-port.ts';
export { goProgram } from './go-program.ts';
export { reportMissing } from './report-missing.ts';
export { findProgram, PeerMissing, runProgram } from './run-program.ts';
