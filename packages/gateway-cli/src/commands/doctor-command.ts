import type { Command } from 'commander';
import type { DoctorArguments } from '../arguments/doctor-arguments.ts';
import type { CommandContext } from '../command-context.ts';
import { CONFIG_DIRECTORY, outputOption } from '../option-values.ts';

/** Adds `gateway doctor`. */
export function addDoctorCommand(program: Command, { io, serving, end }: CommandContext): void {
  program
    .command('doctor')
    .description(
      'check Node, the configuration, the ports and the servers, which it starts once and ends',
    )
    .requiredOption(...CONFIG_DIRECTORY)
    .option('--all', 'also start servers with autoStart: false, and send them their secrets')
    .addOption(outputOption())
    .action(async (args: DoctorArguments) => {
      const { doctor } = await import('../actions/doctor.ts');
      end(await doctor(args, { io, probeServers: serving.probeServers }));
    });
}
