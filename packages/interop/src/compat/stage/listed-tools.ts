import { openHttp, sdkDriver } from '../drivers/sdk-driver.ts';

const WITHIN_MS = 60_000;
const PAUSE_MS = 100;

/** A tool of a server behind a gateway. */
export interface ExpectedTool {
  readonly server: string;
  readonly tool: string;
}

/** The endpoint of a gateway and its mode. */
export interface Endpoint {
  readonly url: string;
  readonly expose: 'meta' | 'native';
}

/**
 * Resolves when the gateway has all tools, or after a minute: then the features show what is missing. The gateway is ready before, because
 * it serves other servers while one starts slowly.
 */
export async function untilListed(
  endpoint: Endpoint,
  tools: readonly ExpectedTool[],
): Promise<void> {
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const missing = await missingTools(endpoint, tools);
    if (missing === 0 || Date.now() > end) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function missingTools(
  { url, expose }: Endpoint,
  tools: readonly ExpectedTool[],
): Promise<number> {
  const driver = sdkDriver(openHttp);
  await driver.connect({ url });
  try {
    const names = expose === 'native' ? await driver.listTools() : await catalogTools(driver);
    return tools
      .filter(({ server, tool }) => !names.includes(`x_${server}_${tool}`))
      .filter(({ tool }) => expose === 'meta' || !names.includes(tool)).length;
  } finally {
    await driver.close();
  }
}

async function catalogTools(driver: ReturnType<typeof sdkDriver>): Promise<readonly string[]> {
  const { texts } = await driver.callTool({ name: 'list_tools', arguments: { summary: true } });
  const { tools } = JSON.parse(texts.join('')) as { readonly tools: readonly { name: string }[] };
  return tools.map(({ name }) => name);
}
