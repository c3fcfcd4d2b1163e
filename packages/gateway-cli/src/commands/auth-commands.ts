import { DEFAULT_ENDPOINT } from '@gateway/gateway-config';
import { Argument, type Command } from 'commander';
import type { AuthStatusArguments, LoginArguments } from '../arguments/auth-arguments.ts';
import type { CommandContext } from '../command-context.ts';
import { outputOption, timeoutOption } from '../option-values.ts';

/** Seconds that a person has for the sign-in. */
const LOGIN_SECONDS = 300;

const urlArgument = (env: CommandContext['io']['env']): Argument =>
  new Argument(
    '[url]',
    'the endpoint of the gateway (default: GATEWAY_URL, or the local one)',
  ).default(env['GATEWAY_URL'] || DEFAULT_ENDPOINT, DEFAULT_ENDPOINT);

/** Adds `gateway auth`: the sign-in of the person to a gateway. */
export function addAuthCommands(program: Command, { io, end }: CommandContext): void {
  const auth = program.command('auth').description('sign in to a gateway that requires it');
  auth
    .command('login')
    .description('sign in with the browser; other commands then send the token')
    .addArgument(urlArgument(io.env))
    .option('--device', 'sign in with a code on another device')
    .option('--no-browser', 'print the URL and do not open it')
    .option('--scope <scopes>', 'scopes to request (default: those that the gateway names)')
    .option('--issuer <url>', 'authorization server, when the gateway names several')
    .option(
      '--client-id <id>',
      'client that is registered at the authorization server; its secret is in GATEWAY_CLIENT_SECRET',
    )
    .option('--client-metadata-url <url>', 'Client ID Metadata Document to use as client')
    .addOption(timeoutOption(LOGIN_SECONDS))
    .action(async (url: string, args: LoginArguments) => {
      const { login } = await import('../actions/login.ts');
      end(await login(url, args, io));
    });
  auth
    .command('logout')
    .description('revoke and delete the tokens of a gateway')
    .addArgument(urlArgument(io.env))
    .action(async (url: string) => {
      const { logout } = await import('../actions/logout.ts');
      end(await logout(url, io));
    });
  auth
    .command('status')
    .description('show the sign-ins: person, issuer, expiry, storage')
    .addArgument(new Argument('[url]', 'only this gateway'))
    .addOption(outputOption())
    .action(async (url: string | undefined, args: AuthStatusArguments) => {
      const { showSignIns } = await import('../actions/show-sign-ins.ts');
      end(await showSignIns(url, args, io));
    });
}
