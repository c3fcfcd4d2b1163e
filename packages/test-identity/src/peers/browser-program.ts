import chromium from '@sparticuz/chromium';
import { findProgram, PeerMissing } from '@gateway/test-peers';

/**
 * Returns the path of the Chromium of the npm package, which is unpacked into the temporary directory once.
 * @throws {PeerMissing} when the package has none for this machine
 */
export const packagedBrowser = async (): Promise<string> => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new PeerMissing('npm has no chromium for this machine');
  return chromium.executablePath();
};

/**
 * Returns the path of Chromium: the one in `PATH`, else that of the npm package.
 * @throws {PeerMissing} when there is none for this machine
 */
export const browserProgram = async (): Promise<string> =>
  findProgram('chromium') ?? findProgram('google-chrome') ?? (await packagedBrowser());
