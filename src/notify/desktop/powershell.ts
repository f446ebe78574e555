import type { Notification } from './notification.ts'
import type { RunProgram } from './run-program.ts'

// The texts come in variables and become text nodes: no part of them is read as a script or as XML. A toast with the tag
// of an earlier one replaces it.
const script = `
$ErrorActionPreference = 'Stop'
[Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime] | Out-Null
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent('ToastText02')
$texts = $xml.GetElementsByTagName('text')
$texts.Item(0).AppendChild($xml.CreateTextNode($env:BECKON_TOAST_TITLE)) | Out-Null
$texts.Item(1).AppendChild($xml.CreateTextNode($env:BECKON_TOAST_BODY)) | Out-Null
$toast = New-Object Windows.UI.Notifications.ToastNotification $xml
$toast.Tag = $env:BECKON_TOAST_TAG
$toast.Group = 'Beckon'
$toast.SuppressPopup = $env:BECKON_TOAST_SILENT -eq '1'
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show($toast)
`

/** Windows 10 and later. */
export async function powershell(
  { title, lines, urgency, subject }: Notification,
  run: RunProgram,
): Promise<string | null> {
  const encoded = Buffer.from(script, 'utf16le').toString('base64')
  await run({
    program: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded],
    env: {
      BECKON_TOAST_TITLE: title,
      BECKON_TOAST_BODY: lines.join('\n'),
      BECKON_TOAST_TAG: subject.slice(0, 64),
      BECKON_TOAST_SILENT: urgency === 'low' ? '1' : '0',
    },
  })
  return subject
}
