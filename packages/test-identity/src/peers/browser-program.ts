import chromium from '@sparticuz/chromium';
import { findProgram, PeerMissing } from '@gateway/test-peers';

/**
 * Returns the path of Chromium: the one in `PATH`, else that of the npm package, which is unpacked into the temporary directory once.
 * @throws {PeerMissing} when there is none for this machine
 */
export const browserProgram = async (): Promise<string> => {
  const found = findProgram('chromium') ?? findProgram('google-chrome');
  if (found !== undefined) return found;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new PeerMissing('chromium is not in PATH, and npm has none for this machine');
  return chromium.executablePath();
};
