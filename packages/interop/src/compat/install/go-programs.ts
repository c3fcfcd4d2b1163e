import { goProgram } from '@gateway/test-peers';
import { placeOf } from './places.ts';

const MODULE = placeOf('drivers/go');

/** Builds a driver in `drivers/go` and returns its path. @throws {PeerMissing} without Go, or when the build fails */
export const goDriver = (name: 'gosdk' | 'mcpgo'): Promise<string> =>
  goProgram({
    name: `compat-${name}`,
    module: MODULE,
    target: `./${name}`,
    sources: ['driver/driver.go', `${name}/main.go`],
  });

/** Builds a sample of the guide and returns its path. @throws {PeerMissing} without Go, or when the build fails */
export const goSample = (name: 'gosdk' | 'mcpgo'): Promise<string> =>
  goProgram({
    name: `compat-sample-${name}`,
    module: MODULE,
    target: `./samples/${name}`,
    sources: [`samples/${name}/main.go`],
  });

/** Builds a program of one of the libraries in `drivers/go/go.mod` and returns its path. */
export const goLibraryProgram = (name: string, target: string): Promise<string> =>
  goProgram({ name: `compat-${name}`, module: MODULE, target });
