import { goLibraryProgram } from '../install/go-programs.ts';
import { pinned } from '../install/pinned.ts';
import { crateProgram } from '../install/rust-programs.ts';
import { echo, stdio, TEXT, writeSample, type ServerUnderTest } from './server-under-test.ts';

const GO_SDK = 'github.com/modelcontextprotocol/go-sdk';
const MCP_GO = 'github.com/mark3labs/mcp-go';
const RUST_FILES = pinned('crates', 'rust-mcp-filesystem', 'pinned/crates/servers.txt');

/** Servers in Go and Rust, which are built from their sources. */
export const COMPILED_SERVERS: readonly ServerUnderTest[] = [
  {
    ...pinned('Go', GO_SDK, 'drivers/go/go.mod'),
    id: 'go-sdk-everything',
    transport: 'stdio',
    has: ['prompts', 'resources'],
    prepare: async () => ({
      spec: stdio(await goLibraryProgram('gosdk-server', `${GO_SDK}/examples/server/everything`)),
      call: { tool: 'greet', arguments: { name: 'Ada' }, shows: 'Ada' },
    }),
  },
  {
    ...pinned('Go', MCP_GO, 'drivers/go/go.mod'),
    id: 'mcp-go-everything',
    transport: 'stdio',
    has: ['prompts', 'resources'],
    prepare: async () => ({
      spec: stdio(await goLibraryProgram('mcpgo-server', `${MCP_GO}/examples/everything`)),
      call: echo,
    }),
  },
  {
    ...RUST_FILES,
    id: 'rust-mcp-filesystem',
    transport: 'stdio',
    prepare: async (folder) => {
      const file = writeSample(folder);
      return {
        spec: stdio(await crateProgram(RUST_FILES.package, RUST_FILES.version), folder),
        call: { tool: 'read_text_file', arguments: { path: file }, shows: TEXT },
      };
    },
  },
];
