/**
 * Required by .mocharc.json. As in an editor that was started from a terminal, whose search path is the user's already: each host
 * that a test makes would ask the login shell for it, and what start-up files do there was a third of the unit tests' time.
 * The login shell's own tests give their own environment, and the editors of test/agent and test/host don't get this one.
 */
process.env['VSCODE_CLI'] = '1';
