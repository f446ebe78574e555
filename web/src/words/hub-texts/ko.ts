import type { HubTexts } from './translate-hub-text.ts'

/** In Korean: why an action is dangerous, what an approval does not cover, and the lines that Beckon writes into reviews. */
export const texts: HubTexts = {
  '- and {count} more': '- 외 {count}개',
  '1 file changed (+{added} −{removed}) since the last commit.':
    '마지막 커밋 이후 파일 1개가 바뀌었습니다(+{added} −{removed}).',
  '1 file changed (+{added} −{removed}) since the phase began.':
    '단계가 시작된 뒤 파일 1개가 바뀌었습니다(+{added} −{removed}).',
  'A script': '스크립트',
  'Changed but not named:': '언급되지 않았지만 바뀐 파일:',
  'Code in the command': '명령 속 코드',
  'It changes PATH: which programs its names mean is known only at run time.':
    'PATH를 바꿉니다. 이름이 어떤 프로그램인지는 실행할 때에야 알 수 있습니다.',
  'It names more than {count} things; files among the others are not bound.':
    '{count}개가 넘는 것을 지정합니다. 나머지 파일은 승인에 묶이지 않습니다.',
  'It reads {name}, whose name is known only at run time.': '실행할 때에야 이름을 알 수 있는 {name}을(를) 읽습니다.',
  'It runs code, which can load files and start programs that are not listed here.':
    '코드를 실행하며, 여기에 없는 파일을 불러오거나 프로그램을 시작할 수 있습니다.',
  'It runs more than {count} files of code; the others are not bound.':
    '{count}개가 넘는 코드 파일을 실행합니다. 나머지는 승인에 묶이지 않습니다.',
  'It runs or names more than {count} files; the others are not bound.':
    '{count}개가 넘는 파일을 실행하거나 지정합니다. 나머지는 승인에 묶이지 않습니다.',
  'It runs {name}, whose name is known only at run time.': '실행할 때에야 이름을 알 수 있는 {name}을(를) 실행합니다.',
  'It starts more than {count} programs; the others are not bound.':
    '{count}개가 넘는 프로그램을 시작합니다. 나머지는 승인에 묶이지 않습니다.',
  'It starts {name}, whose name is known only at run time.': '실행할 때에야 이름을 알 수 있는 {name}을(를) 시작합니다.',
  'It works in more than {count} folders; files are bound in some of them.':
    '{count}개가 넘는 폴더에서 작업합니다. 그중 일부의 파일만 승인에 묶입니다.',
  'More than {count} variables steer it; the others are not passed on.':
    '{count}개가 넘는 변수가 동작을 정합니다. 나머지는 전달되지 않습니다.',
  'Named but missing:': '언급되었지만 없는 파일:',
  'Named but outside the directory:': '언급되었지만 폴더 밖의 파일:',
  'Named but unchanged or ignored:': '언급되었지만 바뀌지 않았거나 무시된 파일:',
  'No guard has looked at this command.': '이 명령은 아직 검사되지 않았습니다.',
  'Only the first {count} of them are shown.': '그중 처음 {count}개만 보여 줍니다.',
  'Review the work of Claude': 'Claude의 작업을 검토해 주세요',
  'Review the work of Claude: {said}': 'Claude의 작업을 검토해 주세요: {said}',
  'The changes cannot be shown: {why}.': '변경을 표시할 수 없습니다: {why}.',
  'The files that {name} refers to are not bound.': '{name}이(가) 가리키는 파일은 승인에 묶이지 않습니다.',
  'The folder {folder} is too large to be bound.': '{folder} 폴더는 너무 커서 승인에 묶을 수 없습니다.',
  'a column': '열',
  'a constraint': '제약 조건',
  'a database': '데이터베이스',
  'a function': '함수',
  'a keyspace': '키스페이스',
  'a login': '로그인',
  'a part': '일부',
  'a partition': '파티션',
  'a policy': '정책',
  'a procedure': '프로시저',
  'a role': '역할',
  'a schema': '스키마',
  'a sequence': '시퀀스',
  'a table': '테이블',
  'a tablespace': '테이블스페이스',
  'a trigger': '트리거',
  'a type': '타입',
  'a user': '사용자',
  'a view': '뷰',
  'adds keys or passwords to the repository in spite of .gitignore':
    '.gitignore를 무시하고 키나 비밀번호를 저장소에 추가합니다.',
  'an extension': '확장',
  'an index': '인덱스',
  'answers a prompt in another terminal, which may be one that asks a person':
    '다른 터미널의 확인 요청에 답합니다. 사람에게 묻는 것일 수 있습니다.',
  'approves a change in your name': '사용자 이름으로 변경을 승인합니다.',
  'brackets nest too deeply': '괄호가 너무 깊이 중첩됨',
  'captures network traffic, including passwords': '비밀번호를 포함한 네트워크 트래픽을 수집합니다.',
  "changes Terraform's state, so that it may recreate or abandon resources":
    'Terraform 상태를 바꿔 리소스를 다시 만들거나 방치하게 할 수 있습니다.',
  'changes a file that runs automatically: at login, on a schedule or from git':
    '로그인, 예약 작업, git에서 자동 실행되는 파일을 바꿉니다.',
  'changes a running container or node, exposes the cluster, or removes its connection settings':
    '실행 중인 컨테이너나 노드를 바꾸거나, 클러스터를 노출하거나, 연결 설정을 지웁니다.',
  'changes a running program, or runs commands in it': '실행 중인 프로그램을 바꾸거나 그 안에서 명령을 실행합니다.',
  'changes accounts, groups or passwords of this machine': '이 컴퓨터의 계정, 그룹, 비밀번호를 바꿉니다.',
  'changes every machine in the inventory, or shows secrets':
    '인벤토리의 모든 컴퓨터를 바꾸거나 비밀 값을 보여 줍니다.',
  'changes every row of a table': '테이블의 모든 행을 바꿉니다.',
  'changes how a whole search cluster works': '검색 클러스터 전체의 동작을 바꿉니다.',
  "changes or deletes Beckon's own files, among them every answer that people gave":
    '사람들의 모든 답을 포함한 Beckon 자체 파일을 바꾸거나 지웁니다.',
  'changes or deletes scheduled jobs': '예약 작업을 바꾸거나 지웁니다.',
  'changes or deletes something on another machine': '다른 컴퓨터의 무언가를 바꾸거나 지웁니다.',
  'changes or destroys running infrastructure': '운영 중인 인프라를 바꾸거나 파괴합니다.',
  "changes or disconnects this machine's network": '이 컴퓨터의 네트워크를 바꾸거나 끊습니다.',
  'changes or removes running jobs or stored data, or prints secrets':
    '실행 중인 작업이나 저장된 데이터를 바꾸거나 지우거나, 비밀 값을 출력합니다.',
  'changes or shows keys and secrets of the hosting service': '호스팅 서비스의 키와 비밀 값을 바꾸거나 보여 줍니다.',
  'changes settings of the database server': '데이터베이스 서버 설정을 바꿉니다.',
  'changes settings of the whole machine': '컴퓨터 전체의 설정을 바꿉니다.',
  'changes the configuration of machines': '컴퓨터들의 구성을 바꿉니다.',
  'changes the partitions of a disk': '디스크의 파티션을 바꿉니다.',
  'changes the registry': '레지스트리를 바꿉니다.',
  'changes the running kernel or the mounted file systems': '실행 중인 커널이나 마운트된 파일 시스템을 바꿉니다.',
  'changes the settings of a coding agent, where its own approvals can be switched off':
    '코딩 에이전트의 설정을 바꿉니다. 거기서 에이전트 자신의 승인 절차를 끌 수 있습니다.',
  "changes the system's Python, or removes many packages at once":
    '시스템의 Python을 바꾸거나 많은 패키지를 한꺼번에 지웁니다.',
  'changes what is delivered to a cluster': '클러스터에 배포되는 내용을 바꿉니다.',
  'changes what others get from the registry, or who can publish there':
    '다른 사람이 레지스트리에서 받는 것이나 게시 권한을 바꿉니다.',
  'changes what runs in a cluster': '클러스터에서 실행되는 것을 바꿉니다.',
  'changes what runs in a swarm, or which machines belong to it': '스웜에서 실행되는 것이나 소속 컴퓨터를 바꿉니다.',
  'changes who can access system files or your home folder': '시스템 파일이나 홈 폴더의 접근 권한을 바꿉니다.',
  'changes who can do what in AWS, or creates access keys': 'AWS 권한을 바꾸거나 액세스 키를 만듭니다.',
  'changes who can do what in the database': '데이터베이스 권한을 바꿉니다.',
  'changes who can log in, or the keys and settings that tools trust':
    '로그인 권한이나 도구가 신뢰하는 키와 설정을 바꿉니다.',
  'changes who can reach this machine over the private network, or exposes it to the internet':
    '사설망의 접근 권한을 바꾸거나 이 컴퓨터를 인터넷에 노출합니다.',
  'changes who can see or owns a repository': '저장소의 공개 범위나 소유자를 바꿉니다.',
  'changes {object} of the database': '데이터베이스의 {object}을(를) 바꿉니다.',
  'changes, starts or exposes something in the cloud, which can affect others and cost money':
    '클라우드의 무언가를 바꾸거나 시작하거나 노출합니다. 다른 사람에게 영향을 주고 비용이 들 수 있습니다.',
  'changes, starts or sends something in AWS, which can affect others and cost money':
    'AWS의 무언가를 바꾸거나 시작하거나 보냅니다. 다른 사람에게 영향을 주고 비용이 들 수 있습니다.',
  'connects a program on this machine directly to another machine':
    '이 컴퓨터의 프로그램을 다른 컴퓨터에 직접 연결합니다.',
  'connects to other machines, or loads libraries, from Tcl code':
    'Tcl 코드로 다른 컴퓨터에 연결하거나 라이브러리를 불러옵니다.',
  'contains shell code that cannot be parsed: {why}': '해석할 수 없는 셸 코드가 있습니다: {why}',
  'copies files from this machine to another': '이 컴퓨터의 파일을 다른 컴퓨터로 복사합니다.',
  'copies its input to another machine': '입력을 다른 컴퓨터로 복사합니다.',
  'copies keys or passwords to a less safe place': '키나 비밀번호를 덜 안전한 곳으로 복사합니다.',
  'cracks passwords or breaks into machines': '비밀번호를 깨거나 컴퓨터에 침입합니다.',
  'creates {object} of the database': '데이터베이스의 {object}을(를) 만듭니다.',
  'creates, changes or deletes a whole cluster with everything stored in it':
    '저장된 모든 것과 함께 클러스터 전체를 만들거나 바꾸거나 지웁니다.',
  'creates, changes or deletes machines or services at a provider':
    '클라우드 업체의 서버나 서비스를 만들거나 바꾸거나 지웁니다.',
  'creates, changes or replaces running infrastructure': '운영 중인 인프라를 만들거나 바꾸거나 교체합니다.',
  "decides in your place over Beckon's HTTP API: answers a request, makes a rule or creates a token":
    'Beckon의 HTTP API로 당신 대신 결정합니다. 요청에 답하거나 규칙이나 토큰을 만듭니다.',
  'decides in your place: answers a request, makes a rule or creates a token that can':
    '당신 대신 결정합니다. 요청에 답하거나 규칙이나 토큰을 만듭니다.',
  'deletes a folder of the workspace that a build cannot recreate': '빌드로 다시 만들 수 없는 작업 폴더를 지웁니다.',
  'deletes a machine with its disks, or builds a machine that costs money':
    '디스크와 함께 서버를 지우거나 비용이 드는 서버를 만듭니다.',
  'deletes an index, a bucket or a database over HTTP': 'HTTP로 인덱스, 버킷, 데이터베이스를 지웁니다.',
  'deletes an index, or many documents at once': '인덱스나 많은 문서를 한꺼번에 지웁니다.',
  "deletes another user's home folder": '다른 사용자의 홈 폴더를 지웁니다.',
  'deletes backups or snapshots, or restores over what is there now':
    '백업이나 스냅샷을 지우거나, 지금 있는 것 위에 복원합니다.',
  'deletes branches or tags on the remote': '원격 저장소의 브랜치나 태그를 지웁니다.',
  'deletes data in a database or the cloud from code': '코드로 데이터베이스나 클라우드의 데이터를 지웁니다.',
  'deletes data, or takes part of the store out of service': '데이터를 지우거나 저장소 일부를 멈춥니다.',
  'deletes every row of a table': '테이블의 모든 행을 지웁니다.',
  'deletes everything at the target that the source does not have': '원본에 없는 것을 대상에서 모두 지웁니다.',
  'deletes everything in a cloud account that its settings do not spare':
    '설정에서 제외하지 않은 클라우드 계정의 모든 것을 지웁니다.',
  'deletes everything on this machine': '이 컴퓨터의 모든 것을 지웁니다.',
  'deletes files of which git could not say whether they are committed':
    'git이 커밋 여부를 알려 주지 못한 파일을 지웁니다.',
  'deletes files outside the workspace': '작업 폴더 밖의 파일을 지웁니다.',
  'deletes files outside the workspace, or all of it': '작업 폴더 밖의 파일이나 작업 폴더 전체를 지웁니다.',
  'deletes files that are in no git repository, so nothing can bring them back':
    '어떤 git 저장소에도 없는 파일을 지웁니다. 되돌릴 방법이 없습니다.',
  'deletes files that are not committed, so git cannot bring them back':
    '커밋되지 않은 파일을 지웁니다. git으로 되돌릴 수 없습니다.',
  'deletes folders whose names are known only at run time; an empty variable can widen it to everything':
    '실행할 때에야 이름을 알 수 있는 폴더를 지웁니다. 변수가 비어 있으면 전부 지워질 수 있습니다.',
  'deletes logs that replicas and recovery need': '복제와 복구에 필요한 로그를 지웁니다.',
  'deletes many keys, and which ones is known only at run time': '실행할 때에야 알 수 있는 많은 키를 지웁니다.',
  'deletes objects of a cluster, possibly with their data':
    '클러스터의 개체를 지웁니다. 데이터도 함께 지워질 수 있습니다.',
  'deletes or changes every record of a model': '모델의 모든 레코드를 지우거나 바꿉니다.',
  'deletes or changes every row of a table': '테이블의 모든 행을 지우거나 바꿉니다.',
  'deletes or disables something on the hosting service': '호스팅 서비스의 무언가를 지우거나 끕니다.',
  'deletes or empties queues, topics, volumes or other stored data':
    '큐, 토픽, 볼륨 등 저장된 데이터를 지우거나 비웁니다.',
  'deletes or moves a branch, even if it is not merged': '병합되지 않았더라도 브랜치를 지우거나 옮깁니다.',
  'deletes or moves a tag': '태그를 지우거나 옮깁니다.',
  'deletes or overwrites files on the remote': '원격의 파일을 지우거나 덮어씁니다.',
  'deletes or overwrites files outside the workspace': '작업 폴더 밖의 파일을 지우거나 덮어씁니다.',
  'deletes or replaces a hosted database, or part of one': '호스팅된 데이터베이스의 전부나 일부를 지우거나 교체합니다.',
  'deletes or replaces something on the hosting service': '호스팅 서비스의 무언가를 지우거나 교체합니다.',
  'deletes or takes down something hosted, with its data': '호스팅된 것을 데이터와 함께 지우거나 내립니다.',
  'deletes private keys': '개인 키를 지웁니다.',
  'deletes private keys, and what only they can open is lost':
    '개인 키를 지우며, 그 키로만 열 수 있는 것을 잃게 됩니다.',
  'deletes recursively or by force, and the guard is strict':
    '하위 항목까지 또는 강제로 지웁니다. 엄격한 검사 모드입니다.',
  'deletes secrets or keys where they are stored': '보관된 비밀이나 키를 지웁니다.',
  'deletes settings, keys or data that are only here': '여기에만 있는 설정, 키 또는 데이터를 지웁니다.',
  'deletes stashed changes': 'stash한 변경을 지웁니다.',
  'deletes stored data, or stops its server, by a request to its interface':
    '관리 인터페이스에 요청을 보내 저장된 데이터를 지우거나 서버를 멈춥니다.',
  'deletes system files': '시스템 파일을 지웁니다.',
  'deletes the files it puts into the archive': '압축 파일에 넣은 원본 파일을 지웁니다.',
  'deletes the files that a search finds, which are known only at run time':
    '검색으로 찾은 파일을 지우며, 어떤 파일인지는 실행할 때에야 알 수 있습니다.',
  'deletes the record of what happened': '무슨 일이 있었는지 남은 기록을 지웁니다.',
  "deletes the repository's history, including commits that exist nowhere else":
    '다른 곳에 없는 커밋을 포함해 저장소의 기록을 지웁니다.',
  'deletes the whole workspace': '작업 폴더 전체를 지웁니다.',
  'deletes tracked files, including modified ones': '수정된 것을 포함해 추적 중인 파일을 지웁니다.',
  'deletes unreachable commits, the last way back from a mistake':
    '실수를 되돌릴 마지막 수단인 도달할 수 없는 커밋을 지웁니다.',
  'deletes untracked files, which cannot be recovered': '되살릴 수 없는 추적되지 않은 파일을 지웁니다.',
  'deletes volumes or everything unused, including database files':
    '데이터베이스 파일을 포함해 볼륨이나 쓰지 않는 모든 것을 지웁니다.',
  'deletes what is in the trash for good': '휴지통에 있는 것을 완전히 지웁니다.',
  'deletes your home folder': '당신의 홈 폴더를 지웁니다.',
  'deletes, moves or overwrites objects in S3': 'S3의 객체를 지우거나 옮기거나 덮어씁니다.',
  'deletes, overwrites or exposes objects in a bucket': '버킷의 객체를 지우거나 덮어쓰거나 노출합니다.',
  'deletes, stops or disables something in the cloud': '클라우드의 무언가를 지우거나 멈추거나 끕니다.',
  'deletes, terminates or disables something in AWS': 'AWS의 무언가를 지우거나 종료하거나 끕니다.',
  'deploys or reconfigures something hosted, which others see at once':
    '호스팅된 것을 배포하거나 다시 설정합니다. 다른 사람에게 바로 보입니다.',
  'deploys to a cloud account, or removes a deployment': '클라우드 계정에 배포하거나 배포를 지웁니다.',
  'deploys what it pushes': '푸시한 것을 배포합니다.',
  'destroys or changes a storage pool, an array or an encrypted disk':
    '스토리지 풀, 어레이, 암호화된 디스크를 파괴하거나 바꿉니다.',
  'destroys running infrastructure and its data': '운영 중인 인프라와 그 데이터를 파괴합니다.',
  'discards all uncommitted changes': '커밋하지 않은 변경을 모두 버립니다.',
  'discards changes in another working tree': '다른 작업 트리의 변경을 버립니다.',
  'discards commits or changes': '커밋이나 변경을 버립니다.',
  'discards uncommitted changes in files': '파일의 커밋하지 않은 변경을 버립니다.',
  'discards uncommitted changes, or moves a branch': '커밋하지 않은 변경을 버리거나 브랜치를 옮깁니다.',
  'docker compose uses images and folders that are not bound.':
    'docker compose가 승인에 묶이지 않은 이미지와 폴더를 씁니다.',
  'download the code, read it, then run it': '코드를 내려받아 읽어 본 뒤 실행하세요',
  'downloads a module and runs it at once': '모듈을 내려받아 바로 실행합니다.',
  'downloads a program from elsewhere, or runs it': '다른 곳에서 프로그램을 내려받거나 실행합니다.',
  'drops a database, or stops or locks its server': '데이터베이스를 삭제하거나 서버를 멈추거나 잠급니다.',
  'drops a table, a database or part of one, with all its data':
    '테이블이나 데이터베이스의 전부나 일부를 데이터와 함께 삭제합니다.',
  'drops every collection before restoring it': '복원하기 전에 모든 컬렉션을 삭제합니다.',
  'drops or empties a collection or a database': '컬렉션이나 데이터베이스를 삭제하거나 비웁니다.',
  'drops or empties tables, or reverts migrations and loses their data':
    '테이블을 삭제하거나 비우거나, 마이그레이션을 되돌려 데이터를 잃습니다.',
  'drops the database as part of a build': '빌드 중에 데이터베이스를 삭제합니다.',
  'drops what is in the database before restoring it': '복원하기 전에 데이터베이스 내용을 삭제합니다.',
  'drops {object}': '{object}을(를) 삭제합니다.',
  'drops {object} of a table, with its data': '테이블의 {object}을(를) 데이터와 함께 삭제합니다.',
  'empties a file outside the workspace': '작업 폴더 밖의 파일을 비웁니다.',
  'empties a file that holds data, or fills it with noise': '데이터가 든 파일을 비우거나 무의미한 내용으로 채웁니다.',
  'empties a table': '테이블을 비웁니다.',
  'empties the store, or stops or reconfigures its server': '저장소를 비우거나 서버를 멈추거나 다시 설정합니다.',
  'erases a disk, a volume or its backups': '디스크, 볼륨 또는 그 백업을 지웁니다.',
  'exports private keys': '개인 키를 내보냅니다.',
  'exposes something on this machine to the internet': '이 컴퓨터의 무언가를 인터넷에 노출합니다.',
  'fills the disk or the memory with data that never ends': '끝나지 않는 데이터로 디스크나 메모리를 채웁니다.',
  'formats a disk and erases everything on it': '디스크를 포맷해 모든 것을 지웁니다.',
  'formats a disk, or deletes what could restore it': '디스크를 포맷하거나 복구 수단을 지웁니다.',
  'forwards what anyone sends to this machine': '누구든 이 컴퓨터로 보내는 것을 전달합니다.',
  'gives a program rights of root, no matter who starts it': '누가 시작하든 프로그램에 루트 권한을 줍니다.',
  'gives another machine a shell on this one': '다른 컴퓨터에 이 컴퓨터의 셸을 내줍니다.',
  "gives the container the host's privileges": '컨테이너에 호스트 권한을 줍니다.',
  'has programs start later or with the machine, when nobody is asked':
    '나중에, 또는 컴퓨터가 켜질 때 아무에게도 묻지 않고 프로그램이 시작되게 합니다.',
  'hides from Beckon that an agent runs it, or passes for another run':
    '에이전트가 실행한다는 사실을 Beckon에 숨기거나 다른 실행인 척합니다.',
  'installs code from a URL instead of a registry': '레지스트리가 아닌 URL에서 코드를 설치합니다.',
  'installs packages from another registry, or from one that cannot be verified':
    '다른 레지스트리나 확인할 수 없는 레지스트리에서 패키지를 설치합니다.',
  'installs packages from now on without checking who sends them':
    '앞으로 누가 보내는지 확인하지 않고 패키지를 설치합니다.',
  'installs, changes or removes a release in a cluster, or publishes a chart':
    '클러스터의 릴리스를 설치, 변경, 제거하거나 차트를 게시합니다.',
  'is too complex to analyze: {why}': '너무 복잡해 분석할 수 없습니다: {why}',
  'is too long to judge': '너무 길어 판단할 수 없습니다.',
  'it does too many things': '하는 일이 너무 많음',
  'it is too long': '너무 긺',
  'it nests too deeply': '너무 깊이 중첩됨',
  'it took longer than {count} s': '{count}초가 넘게 걸림',
  'its braces stand for too many words': '중괄호가 너무 많은 단어를 나타냄',
  'its values grow too long': '값이 너무 길어짐',
  'lets every user of this machine change these files': '이 컴퓨터의 모든 사용자가 이 파일들을 바꿀 수 있게 합니다.',
  'lets every user see every row of a table': '모든 사용자가 테이블의 모든 행을 볼 수 있게 합니다.',
  'lets everyone on the network read files outside the workspace':
    '네트워크의 누구나 작업 공간 밖의 파일을 읽을 수 있게 합니다.',
  'lets other machines read repositories': '다른 컴퓨터가 저장소를 읽을 수 있게 합니다.',
  'lets other users of this machine read keys or passwords':
    '이 컴퓨터의 다른 사용자가 키나 비밀번호를 읽을 수 있게 합니다.',
  'lets others open this machine in an editor': '다른 사람이 편집기로 이 컴퓨터를 열 수 있게 합니다.',
  'lets others use a terminal on this machine': '다른 사람이 이 컴퓨터의 터미널을 쓸 수 있게 합니다.',
  'lets the archive choose where on this machine its files go':
    '압축 파일이 이 컴퓨터의 어디에 파일을 둘지 정하게 합니다.',
  'lets the container write to the host outside the workspace, or read its keys':
    '컨테이너가 작업 폴더 밖의 호스트에 쓰거나 키를 읽을 수 있게 합니다.',
  "lets this machine's key log in to another machine from now on":
    '앞으로 이 컴퓨터의 키로 다른 컴퓨터에 로그인할 수 있게 합니다.',
  'loads a library into the shell, where it can do anything':
    '셸에 라이브러리를 불러옵니다. 그 안에서 무엇이든 할 수 있습니다.',
  'loads code from outside the workspace into the program': '작업 폴더 밖의 코드를 프로그램에 불러옵니다.',
  'loads {library} into the program, where it can do anything':
    '무엇이든 할 수 있는 {library}을(를) 프로그램에 불러옵니다.',
  'locks every user out of these files': '모든 사용자가 이 파일들을 쓸 수 없게 합니다.',
  'makes a compiler run a program from outside the workspace': '컴파일러가 작업 폴더 밖의 프로그램을 실행하게 합니다.',
  'makes a program run code from outside the workspace': '프로그램이 작업 폴더 밖의 코드를 실행하게 합니다.',
  "makes a program run with its owner's rights, no matter who starts it":
    '누가 시작하든 프로그램이 소유자 권한으로 실행되게 합니다.',
  'makes git run code from outside the workspace': 'git이 작업 폴더 밖의 코드를 실행하게 합니다.',
  'makes git run other programs or use other servers from now on':
    '앞으로 git이 다른 프로그램을 실행하거나 다른 서버를 쓰게 합니다.',
  'makes other programs delete, type or ask for passwords':
    '다른 프로그램이 삭제하거나 입력하거나 비밀번호를 묻게 합니다.',
  'makes the guard itself fail': '검사 도구 자체가 실패하게 만듭니다.',
  'makes the guard less strict than it was set': '정해진 것보다 검사를 느슨하게 만듭니다.',
  'makes the machine trust another certificate authority, which can then read its traffic':
    '컴퓨터가 다른 인증 기관을 신뢰하게 하며, 그 기관은 통신을 읽을 수 있습니다.',
  "manages Beckon, which is a person's to do: requests, kept values, targets, backups":
    '사람이 할 Beckon 관리를 대신합니다: 요청, 보관한 값, 알림 대상, 백업.',
  'matches a rule': '규칙에 해당합니다.',
  'matches a rule that asks about "{command}"': '"{command}"을(를) 물어보라는 규칙에 해당합니다.',
  'matches a rule that denies "{command}"': '"{command}"을(를) 거부하는 규칙에 해당합니다.',
  "merges in spite of the repository's rules": '저장소 규칙을 무시하고 병합합니다.',
  'moves files that the system, your home folder or the repository needs':
    '시스템, 홈 폴더, 저장소에 필요한 파일을 옮깁니다.',
  'moves or deletes a reference directly': '참조를 직접 옮기거나 지웁니다.',
  'name the program in the command': '명령에 프로그램 이름을 직접 쓰세요',
  'nests commands too deeply to analyze': '명령이 너무 깊이 중첩되어 분석할 수 없습니다.',
  "opens Beckon's own database, where it could answer in your place":
    'Beckon의 데이터베이스를 엽니다. 당신 대신 답할 수 있습니다.',
  'opens a connection from another machine to this one': '다른 컴퓨터에서 이 컴퓨터로 오는 연결을 엽니다.',
  'opens a root shell, where further commands go unseen': '이후 명령이 보이지 않는 루트 셸을 엽니다.',
  "opens a terminal of this machine on another machine's screen": '이 컴퓨터의 터미널을 다른 컴퓨터 화면에 엽니다.',
  'opens, closes or clears the firewall': '방화벽을 열거나 닫거나 비웁니다.',
  'overwrites a local branch, even if it has commits of its own': '자체 커밋이 있더라도 로컬 브랜치를 덮어씁니다.',
  'overwrites a private key or changes its passphrase': '개인 키를 덮어쓰거나 암호를 바꿉니다.',
  'overwrites files beyond recovery': '복구할 수 없게 파일을 덮어씁니다.',
  'overwrites history that others have': '다른 사람이 가진 커밋 기록을 덮어씁니다.',
  'overwrites system files': '시스템 파일을 덮어씁니다.',
  'overwrites the database with another file': '데이터베이스를 다른 파일로 덮어씁니다.',
  'overwrites the record of what was typed': '입력 기록을 덮어씁니다.',
  'pass the code as an argument': '코드를 인수로 넘기세요',
  'prints a secret': '비밀 값을 출력합니다.',
  'prints keys or passwords, and the model sees them': '키나 비밀번호를 출력해 모델이 보게 됩니다.',
  'prints secrets of a cluster': '클러스터의 비밀 값을 출력합니다.',
  'publishes a release, or changes a published one': '릴리스를 게시하거나 게시된 릴리스를 바꿉니다.',
  'publishes a version, which cannot be undone, or removes one that others use':
    '되돌릴 수 없게 버전을 게시하거나, 다른 사람이 쓰는 버전을 없앱니다.',
  'publishes an image that others can pull': '다른 사람이 받을 수 있는 이미지를 게시합니다.',
  'publishes an image, or removes one that others pull': '이미지를 게시하거나 다른 사람이 받는 이미지를 없앱니다.',
  'publishes text or files where anyone can read them': '누구나 읽을 수 있는 곳에 글이나 파일을 공개합니다.',
  'pushes every branch to a remote that this command sets up':
    '이 명령이 새로 설정한 원격으로 모든 브랜치를 푸시합니다.',
  'pushes the schema to the database even if data is lost': '데이터를 잃더라도 스키마를 데이터베이스에 적용합니다.',
  'pushes to an address that is not a remote of the repository': '저장소의 원격으로 등록되지 않은 주소로 푸시합니다.',
  'pushes to an address that the same command gave the remote': '같은 명령이 원격에 지정한 주소로 푸시합니다.',
  'puts a program of a well-known name where the shell finds it first':
    '잘 알려진 이름의 프로그램을 셸이 먼저 찾는 곳에 둡니다.',
  'puts files over those of your home folder, its settings or the system':
    '홈 폴더나 그 설정, 시스템의 파일 위에 파일을 풉니다.',
  'puts keys or passwords on the clipboard, where every program can read them':
    '키나 비밀번호를 모든 프로그램이 읽을 수 있는 클립보드에 넣습니다.',
  "reads Beckon's key or database, which hold people's answers and secrets":
    '사람들의 답과 비밀 값이 든 Beckon의 키나 데이터베이스를 읽습니다.',
  'reads a stored secret, and the model sees it': '저장된 비밀 값을 읽어 모델이 보게 됩니다.',
  'reads the keys that the cloud gives this machine, and the model sees them':
    '클라우드가 이 컴퓨터에 준 키를 읽어 모델이 보게 됩니다.',
  'removes a database, a role or the log needed to recover it':
    '데이터베이스, 역할 또는 복구에 필요한 로그를 없앱니다.',
  'removes a toolchain or an environment with everything installed in it':
    '설치된 모든 것과 함께 도구 모음이나 환경을 없앱니다.',
  'removes containers or images by force or all at once, with the data written in them':
    '컨테이너나 이미지를 강제로 또는 한꺼번에, 기록된 데이터와 함께 없앱니다.',
  'removes containers, images or the machine that runs them, or publishes them':
    '컨테이너, 이미지 또는 이를 실행하는 컴퓨터를 없애거나 게시합니다.',
  "removes or installs packages without the package manager's checks":
    '패키지 관리자의 검사 없이 패키지를 없애거나 설치합니다.',
  'removes or shrinks a volume and its data': '볼륨과 그 데이터를 없애거나 줄입니다.',
  'removes programs from this machine, with everything that depends on them':
    '이 컴퓨터의 프로그램을 의존하는 모든 것과 함께 없앱니다.',
  "removes the project's volumes with their data": '프로젝트의 볼륨을 데이터와 함께 없앱니다.',
  'replaces one of your documents': '당신의 문서를 바꿔치웁니다.',
  'restores a backup over the system or your home folder': '시스템이나 당신의 홈 폴더 위에 백업을 복원합니다.',
  'rewrites a branch that others build on': '다른 사람이 함께 쓰는 브랜치를 다시 씁니다.',
  'rewrites every commit of the repository': '저장소의 모든 커밋을 다시 씁니다.',
  'rewrites files outside the workspace and keeps no original': '작업 폴더 밖의 파일을 원본을 남기지 않고 다시 씁니다.',
  'rewrites individual commits': '개별 커밋을 다시 씁니다.',
  'runs SQL that cannot be seen here on the database of another machine':
    '여기서 볼 수 없는 SQL을 다른 컴퓨터의 데이터베이스에서 실행합니다.',
  'runs SQL that is known only at run time or comes from the network':
    '실행할 때에야 알 수 있거나 네트워크에서 온 SQL을 실행합니다.',
  'runs a command in place of a connection to a repository': '저장소에 연결하는 대신 명령을 실행합니다.',
  'runs a command of Beckon that is known only at run time, and may answer in your place':
    '실행할 때에야 알 수 있는 Beckon 명령을 실행하며, 당신 대신 답할 수 있습니다.',
  'runs a file whose name says that it removes or overwrites data':
    '이름으로 보아 데이터를 없애거나 덮어쓰는 파일을 실행합니다.',
  'runs a program whose name comes from the network': '네트워크에서 이름을 받은 프로그램을 실행합니다.',
  'runs a program whose name is known only at run time': '실행할 때에야 이름을 알 수 있는 프로그램을 실행합니다.',
  'runs a script whose name says that it deletes data': '이름으로 보아 데이터를 지우는 스크립트를 실행합니다.',
  'runs a script whose name says that it deploys, publishes or tears down':
    '이름으로 보아 배포, 게시 또는 철거하는 스크립트를 실행합니다.',
  'runs a statement that is too long to analyze': '너무 길어 분석할 수 없는 구문을 실행합니다.',
  'runs an unknown program with the options of a recursive delete, outside the workspace':
    '작업 폴더 밖에서 재귀 삭제 옵션으로 알 수 없는 프로그램을 실행합니다.',
  'runs code straight from the network': '네트워크에서 받은 코드를 바로 실행합니다.',
  'runs code straight from the network with access to this machine':
    '네트워크에서 받은 코드를 이 컴퓨터에서 바로 실행합니다.',
  'runs code that is known only at run time': '실행할 때에야 알 수 있는 코드를 실행합니다.',
  "runs programs, or reads or writes files, with the database's rights":
    '데이터베이스 권한으로 프로그램을 실행하거나 파일을 읽고 씁니다.',
  'scans machines for weaknesses, which is an attack if they are not yours':
    '컴퓨터의 취약점을 검사합니다. 당신의 것이 아니라면 공격입니다.',
  'sends a key or a password to a machine that it is not for': '키나 비밀번호를 그 용도가 아닌 컴퓨터로 보냅니다.',
  'sends an email': '이메일을 보냅니다.',
  'sends data of this machine, or files outside the workspace, to another machine':
    '이 컴퓨터의 데이터나 작업 공간 밖의 파일을 다른 컴퓨터로 보냅니다.',
  'sends data to another machine': '데이터를 다른 컴퓨터로 보냅니다.',
  'sends its input to another machine': '입력을 다른 컴퓨터로 보냅니다.',
  'sends keys, passwords or the environment to another machine':
    '키, 비밀번호 또는 환경 변수를 다른 컴퓨터로 보냅니다.',
  'sends so many requests to another machine that it may stop working':
    '다른 컴퓨터에 요청을 너무 많이 보내 멈추게 할 수 있습니다.',
  'shuts down the database': '데이터베이스를 종료합니다.',
  'shuts down the machine or everything running on it': '컴퓨터나 실행 중인 모든 것을 종료합니다.',
  'split it into smaller commands': '더 작은 명령으로 나누세요',
  'starts a coding agent that asks no one, or changes its settings':
    '아무에게도 묻지 않는 코딩 에이전트를 시작하거나 그 설정을 바꿉니다.',
  'starts a pipeline or approves a deployment by hand': '파이프라인을 직접 시작하거나 배포를 승인합니다.',
  'starts an interpreter that runs whatever is typed into it later':
    '나중에 입력되는 것을 그대로 실행하는 인터프리터를 시작합니다.',
  'starts copies of itself until the machine stops responding': '컴퓨터가 멈출 때까지 자신을 계속 복제합니다.',
  'stops or changes a service of this machine': '이 컴퓨터의 서비스를 멈추거나 바꿉니다.',
  'stops programs that other users or the machine itself depend on':
    '다른 사용자나 컴퓨터 자체에 필요한 프로그램을 멈춥니다.',
  'stops, exposes or changes the system': '시스템을 멈추거나 노출하거나 바꿉니다.',
  'stops, replaces or removes containers on another machine': '다른 컴퓨터의 컨테이너를 멈추거나 바꾸거나 제거합니다.',
  'takes all memory, processes or disk space of the machine on purpose':
    '일부러 컴퓨터의 메모리, 프로세스 또는 디스크 공간을 모두 차지합니다.',
  'takes away the protection of files that nobody may change': '아무도 바꿀 수 없는 파일의 보호를 없앱니다.',
  'takes so much space that the disk or the memory may be full':
    '디스크나 메모리가 가득 찰 만큼 많은 공간을 차지합니다.',
  'the parser fails on it': '구문 분석기가 처리하지 못함',
  'truncates files outside the workspace': '작업 폴더 밖의 파일을 잘라 냅니다.',
  'turns off a protection of the system': '시스템의 보호 기능을 끕니다.',
  'types dangerous commands into another program': '다른 프로그램에 위험한 명령을 입력합니다.',
  'upgrades the whole system, or changes whose packages it trusts':
    '시스템 전체를 업그레이드하거나 신뢰하는 패키지 출처를 바꿉니다.',
  "uses Beckon's database, key or library from code, where it could answer in your place":
    '코드에서 Beckon의 데이터베이스, 키, 라이브러리를 씁니다. 당신 대신 답할 수 있습니다.',
  'uses the database to reach programs, files or logs of its server':
    '데이터베이스로 서버의 프로그램, 파일, 로그에 접근합니다.',
  'uses up processes, memory or disk space without end': '프로세스, 메모리 또는 디스크 공간을 끝없이 써 버립니다.',
  'wipes a disk': '디스크를 완전히 지웁니다.',
  'write it into a script': '스크립트 파일로 쓰세요',
  'write the commands out': '명령을 그대로 풀어 쓰세요',
  'writes directly to a disk, bypassing its file system': '파일 시스템을 거치지 않고 디스크에 직접 씁니다.',
  'writes into .git without going through git': 'git을 거치지 않고 .git에 씁니다.',
  'writes into a document or a database outside the workspace, which only its own program can do safely':
    '작업 폴더 밖의 문서나 데이터베이스에 직접 씁니다. 그 프로그램만 안전하게 쓸 수 있는 파일입니다.',
  'writes keys or passwords into the history of the repository': '키나 비밀번호를 저장소 기록에 남깁니다.',
  'writes over the content of a file, byte by byte': '파일의 내용을 바이트 단위로 덮어씁니다.',
  '{count} files changed (+{added} −{removed}) since the last commit.':
    '마지막 커밋 이후 파일 {count}개가 바뀌었습니다(+{added} −{removed}).',
  '{count} files changed (+{added} −{removed}) since the phase began.':
    '단계가 시작된 뒤 파일 {count}개가 바뀌었습니다(+{added} −{removed}).',
  '{file} line {line} {finding}': '{file} {line}행: {finding}',
  '{name} --test runs test files that are not all bound.':
    '{name} --test가 실행하는 테스트 파일이 모두 승인에 묶이지는 않습니다.',
  '{name} -m {module} runs a module that is installed elsewhere; its code is not bound.':
    '{name} -m {module}은 다른 곳에 설치된 모듈을 실행합니다. 그 코드는 승인에 묶이지 않습니다.',
  '{name} build reads the folder {folder}, which is not bound.':
    '{name} build가 승인에 묶이지 않은 {folder} 폴더를 읽습니다.',
  '{name} is started in a folder that is known only at run time; its files are not bound.':
    '{name}은(는) 실행할 때에야 알 수 있는 폴더에서 시작됩니다. 그 파일은 승인에 묶이지 않습니다.',
  '{name} is too long to read; what it starts is not bound.':
    '{name}은(는) 너무 길어 읽을 수 없습니다. 시작하는 것은 승인에 묶이지 않습니다.',
  '{name} may load modules and plugins that are not bound.':
    '{name}은(는) 승인에 묶이지 않은 모듈과 플러그인을 불러올 수 있습니다.',
  '{name} runs its recipes: what they start is bound only where a makefile names it.':
    '{name}이(가) 레시피를 실행합니다. 시작하는 것은 makefile에 이름이 있을 때만 승인에 묶입니다.',
  '{name} runs the script "{script}" of package.json: what its programs load is not all bound.':
    '{name}이(가) package.json의 "{script}" 스크립트를 실행합니다. 그 프로그램이 불러오는 것이 모두 승인에 묶이지는 않습니다.',
  '{name} runs what its project defines; only {files} and named files are bound.':
    '{name}이(가) 프로젝트에 정의된 것을 실행합니다. {files}와 지정된 파일만 승인에 묶입니다.',
  '{name} stands for more files than can be bound.':
    '{name}이(가) 나타내는 파일이 너무 많아 승인에 다 묶을 수 없습니다.',
  '{name} starts programs of its own, which are not bound.':
    '{name}이(가) 승인에 묶이지 않은 다른 프로그램을 시작합니다.',
  '{name} {command} is not a script of package.json: what it runs is not bound.':
    '{name} {command}은(는) package.json의 스크립트가 아닙니다. 실행하는 것은 승인에 묶이지 않습니다.',
  '{name} {command} loads the files of its package, which are not bound.':
    '{name} {command}이(가) 승인에 묶이지 않은 패키지 파일을 불러옵니다.',
  '{name} {command} runs a package that may be downloaded; its code is not bound.':
    '{name} {command}이(가) 내려받을 수 있는 패키지를 실행합니다. 그 코드는 승인에 묶이지 않습니다.',
  '{name} {command} runs scripts of other packages in the workspace, which are not bound.':
    '{name} {command}이(가) 작업 폴더에 있는 다른 패키지의 스크립트를 실행합니다. 승인에 묶이지 않습니다.',
  '{name} {command} runs the install scripts of packages, which are not bound.':
    '{name} {command}이(가) 패키지의 설치 스크립트를 실행합니다. 승인에 묶이지 않습니다.',
}
