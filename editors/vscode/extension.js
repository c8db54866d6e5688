"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** What starts the server: the setting, else the interpreter that the Python extension selected. */
async function command() {
  const given = vscode.workspace.getConfiguration("tfxla-lint").get("command");
  if (given.length > 0) {
    return given;
  }
  const python = vscode.extensions.getExtension("ms-python.python");
  if (python !== undefined) {
    const api = await python.activate();
    const path = api?.environments?.getActiveEnvironmentPath();
    const found = path && (await api.environments.resolveEnvironment(path));
    if (found?.executable?.uri) {
      return [found.executable.uri.fsPath, "-m", "tfxla_lint", "server"];
    }
  }
  return ["tfxla-lint", "server"];
}

async function start() {
  const [executable, ...args] = await command();
  const folder = vscode.workspace.workspaceFolders?.[0];
  const options = { cwd: folder?.uri.fsPath };
  client = new LanguageClient(
    "tfxla-lint",
    "tfxla-lint",
    { command: executable, args, options },
    {
      documentSelector: [
        { language: "python", scheme: "file" },
        { language: "python", scheme: "untitled" },
        { language: "python", notebook: "jupyter-notebook" },
      ],
      initializationOptions: vscode.workspace.getConfiguration("tfxla-lint").get("settings"),
    },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `tfxla-lint does not start (${error.message}): pip install 'tfxla-lint[server]', or set tfxla-lint.command`,
    );
  }
}

async function stop() {
  const old = client;
  client = undefined;
  await old?.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("tfxla-lint.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("tfxla-lint")) {
        restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
