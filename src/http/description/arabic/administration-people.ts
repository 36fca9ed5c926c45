/** The groups of the administration, and its operations on companies, people and their credentials. */
export const ADMINISTRATION_OF_PEOPLE: Record<string, string> = {
  'Administration for people, with personal access tokens: companies, people, keys, usage, audit and the trash. Unknown fields of a body are dropped and named in `X-Ignored-Fields`, unknown query parameters in `X-Ignored-Parameters`.':
    'الإدارة للأشخاص، برموز وصول شخصية: الشركات والأشخاص والمفاتيح والاستخدام وسجل التدقيق وسلة المحذوفات. الحقول غير المعروفة في المتن تُتجاهل وتُذكر في `X-Ignored-Fields`، ومعاملات الاستعلام غير المعروفة في `X-Ignored-Parameters`.',
  'Your account': 'حسابك',
  'The person or operator whom the token belongs to.': 'صاحب الرمز: شخص أو المشغِّل.',
  Sessions: 'الجلسات',
  'Signing in to the console, and the sessions that follow.': 'تسجيل الدخول إلى لوحة التحكم، والجلسات التي تتبعه.',
  Catalog: 'القوائم الثابتة',
  'The lists that people and programs choose from.': 'القوائم التي يختار منها الأشخاص والبرامج.',
  Companies: 'الشركات',
  'Companies, their plans and their settings.': 'الشركات وباقاتها وإعداداتها.',
  People: 'الأشخاص',
  'The people of a company, their roles and their rights.': 'الأشخاص في الشركة وأدوارهم وصلاحياتهم.',
  Invitations: 'الدعوات',
  'One-time codes that give people their first access token.':
    'رموز تُستخدم مرة واحدة، يحصل بها الأشخاص على أول رمز وصول.',
  'Linked accounts': 'الحسابات المرتبطة',
  "Which accounts at the identity provider are a person's.": 'حسابات الشخص لدى موفّر الهوية.',
  'Access tokens': 'رموز الوصول',
  'Personal access tokens for this surface.': 'رموز الوصول الشخصية إلى الإدارة.',
  'API keys': 'مفاتيح API',
  'Keys for the API: what they may do, and how long they last.': 'مفاتيح API: ما يُسمح لها به، وكم تدوم.',
  Usage: 'الاستخدام',
  'How many API calls a company makes each day.': 'عدد استدعاءات API في الشركة كل يوم.',
  'Log of requests': 'سجل الطلبات',
  'Calls of API keys that were refused or failed, and all writes.':
    'استدعاءات مفاتيح API التي رُفضت أو فشلت، وعمليات الكتابة كلها.',
  'Audit log': 'سجل التدقيق',
  'Who changed what, and which calls were denied.': 'من غيّر ماذا، وأي الاستدعاءات مُنعت.',
  Timeline: 'الخط الزمني',
  'What happened in a company, newest first.': 'ما حدث في الشركة، الأحدث أولًا.',
  Changes: 'التغييرات',
  'Everything that was changed in the last 30 days, and by which key.': 'كل ما تغيّر في آخر 30 يومًا، وبأي مفتاح.',
  Notifications: 'الإشعارات',
  'The notifications that people received.': 'الإشعارات التي وصلت إلى الأشخاص.',
  Subscriptions: 'المتابعات',
  'Who follows which discussion.': 'من يتابع أي نقاش.',
  Trash: 'سلة المحذوفات',
  'Deleted projects and discussions, which can be restored.': 'المشاريع والنقاشات المحذوفة التي يمكن استعادتها.',
  'The projects of a company.': 'مشاريع الشركة.',
  'Project members': 'أعضاء المشاريع',
  'Who belongs to a private project.': 'من ينتمي إلى مشروع خاص.',
  'Connected calendars': 'التقاويم المربوطة',
  'External calendars that a person’s events are copied to.': 'تقاويم خارجية تُنسخ إليها مواعيد الشخص.',
  'Addresses that Diwan calls when something changes.': 'عناوين يستدعيها ديوان عندما يتغير شيء.',
  'The categories of discussions.': 'تصنيفات النقاشات.',
  'Virus scans': 'فحص الفيروسات',
  'What the virus scan found in the files of a company.': 'ما وجده فحص الفيروسات في ملفات الشركة.',
  'Failed jobs': 'الأعمال الفاشلة',
  'Background jobs that failed on every attempt.': 'أعمال في الخلفية فشلت كل محاولاتها.',
  Work: 'العمل',
  'The records of a company as the API shows and changes them, for people who are signed in; members see public projects and those they belong to, and the operator only reads.':
    'سجلات الشركة كما تعرضها API وتغيّرها، لمن سجّلوا الدخول؛ يرى الأعضاء المشاريع العامة والمشاريع التي ينتمون إليها، والمشغِّل يقرأ فقط.',
  Health: 'حالة النظام',
  'How the database, the mail server and the other parts are doing.': 'حال قاعدة البيانات وخادم البريد وسائر الأجزاء.',
  'Live figures': 'المؤشرات الحية',
  'Requests, latency and memory of the last hour.': 'الطلبات وزمن الاستجابة والذاكرة في الساعة الأخيرة.',
  'Who you are': 'من أنت',
  'The person and the company, which are both null for the operator, and the names of the endpoints that you may call.':
    'الشخص وشركته، وكلاهما `null` للمشغِّل، وأسماء نقاط الاتصال التي يُسمح لك باستدعائها.',
  'For the operator and everyone.': 'للمشغِّل وللجميع.',
  'How to sign in to the console': 'كيف يُسجَّل الدخول إلى لوحة التحكم',
  'Called without a credential. Tells whether people sign in with an identity provider and, when the browser comes back from there, which people it may sign in as.':
    'تُستدعى دون بيانات اعتماد. تبيّن هل يُسجَّل الدخول عبر موفّر هوية، وعند عودة المتصفح منه تبيّن الأشخاص الذين يمكن الدخول بأسمائهم.',
  'For whoever has a token or a code, or comes from the identity provider, without a credential.':
    'لكل من معه رمز وصول أو رمز رابط، أو جاء من موفّر الهوية، دون بيانات اعتماد.',
  'Sign in to the console': 'تسجيل الدخول إلى لوحة التحكم',
  'Exchanges a token, or the code of the link that the first start printed, for a session: the cookie `diwan_session`, which works on this surface as the token would, for 12 hours at most and until it has not been used for an hour. It ends with its token. With `company_id` it is begun by whom the identity provider has signed in, and belongs to the link with that account; where the company requires that, a token is 403. With the cookie, every request but a GET must carry `X-Diwan-Console: 1`. A token or code that is wrong is 401. A token or link may have 20 sessions; when another begins, the oldest ends.':
    'يبدّل رمز الوصول، أو رمز الرابط الذي طبعه أول تشغيل، بجلسة: ملف تعريف الارتباط `diwan_session` الذي يقوم هنا مقام الرمز، 12 ساعة على الأكثر، وإلى أن تمضي ساعة دون استخدام. تنتهي الجلسة بانتهاء رمزها. مع `company_id` تبدأ جلسة لمن سجّل دخوله عبر موفّر الهوية، وتتبع الربط بذلك الحساب؛ وحيث تشترط الشركة ذلك يُرد على رمز الوصول بالرمز 403. مع ملف تعريف الارتباط يجب أن يحمل كل طلب غير `GET` الترويسة `X-Diwan-Console: 1`. الرمز الخاطئ يُرد عليه بالرمز 401. لكل رمز أو ربط 20 جلسة؛ وإذا بدأت أخرى انتهت أقدمها.',
  'For whoever has a token or a code, or comes from the identity provider, without a credential. Kept in the audit.':
    'لكل من معه رمز وصول أو رمز رابط، أو جاء من موفّر الهوية، دون بيانات اعتماد. يُقيَّد في سجل التدقيق.',
  'A personal access token, or the operator token': 'رمز وصول شخصي، أو رمز المشغِّل',
  'The code of the link that the first start printed': 'رمز الرابط الذي طبعه أول تشغيل',
  'Of the person to sign in as, after the identity provider has sent the browser back: see `GET /sign-in`':
    'شركة الشخص الذي يُسجَّل الدخول باسمه، بعد أن يعيد موفّر الهوية المتصفح: انظر `GET /sign-in`',
  "List the operator's sessions": 'عرض جلسات المشغِّل',
  'The sessions of the console that were begun with the operator token as it is now and have not ended.':
    'جلسات لوحة التحكم التي بدأت برمز المشغِّل الحالي ولم تنتهِ.',
  'For the operator.': 'للمشغِّل.',
  'Sign out of the console': 'تسجيل الخروج من لوحة التحكم',
  'Ends the session whose cookie the request came with. A request with a token has none: 404.':
    'ينهي الجلسة التي جاء الطلب بملف تعريف الارتباط الخاص بها. الطلب برمز وصول ليست له جلسة: 404.',
  'For the operator and everyone. Kept in the audit.': 'للمشغِّل وللجميع. يُقيَّد في سجل التدقيق.',
  'End a session of the operator': 'إنهاء جلسة للمشغِّل',
  'For the operator. Kept in the audit.': 'للمشغِّل. يُقيَّد في سجل التدقيق.',
  'Get the catalog': 'عرض القوائم الثابتة',
  'The lists that programs and people choose from: operations, presets, rights, plans, roles, languages and the events of webhooks.':
    'القوائم التي تختار منها البرامج والأشخاص: العمليات، والمجموعات الجاهزة منها، والصلاحيات، والباقات، والأدوار، واللغات، وأحداث خطافات الويب.',
  'List companies': 'عرض الشركات',
  'Oldest first. `q` finds companies by name, with the same spelling rules as search, or by id; `plan` selects those on one plan, `closed` those that are closed or those that are not, and `sandbox` the sandboxes or the others. Where companies live in cells, those of all cells are listed; `meta.cells_away` names the cells that did not answer.':
    'الأقدم أولًا. يبحث `q` عن الشركات بالاسم، بقواعد الإملاء نفسها التي في البحث، أو بالرقم؛ ويختار `plan` شركات باقة واحدة، و`closed` المغلقة أو المفتوحة، و`sandbox` البيئات التجريبية أو غيرها. وحيث تتوزع الشركات على خلايا تُذكر شركات الخلايا كلها، ويذكر `meta.cells_away` الخلايا التي لم تستجب.',
  'Part of the name, or the id': 'جزء من الاسم، أو الرقم',
  'Create a company with its owner': 'إنشاء شركة مع مالكها',
  'An IANA zone': 'منطقة زمنية من قائمة IANA',
  'Enterprise only; null is unlimited': 'لباقة `enterprise` فقط؛ `null` بلا حد',
  'Of mail to people who are added without one; default en': 'لغة بريد من يُضافون دون لغة؛ الافتراضية `en`',
  'A second calendar for the dates in mails; null for none': 'تقويم ثانٍ للتواريخ في رسائل البريد؛ `null` لعدم وجوده',
  'Get a company': 'عرض شركة',
  'For the operator and leaders.': 'للمشغِّل وللملّاك والمديرين.',
  'Update a company': 'تعديل شركة',
  'Plan, flag, allowance and subscription are for the operator only, and `require_oidc` for owners and the operator.':
    'الباقة وتفعيل API والحصة والاشتراك للمشغِّل وحده، و`require_oidc` للملّاك وللمشغِّل.',
  'For the operator and leaders. Kept in the audit.': 'للمشغِّل وللملّاك والمديرين. يُقيَّد في سجل التدقيق.',
  'Whether people must sign in to the console with the identity provider. It has an effect while the operator sets OIDC_REQUIRED; tokens go on working for programs':
    'هل يجب تسجيل الدخول إلى لوحة التحكم عبر موفّر الهوية. لا أثر له إلا إذا ضبط المشغِّل `OIDC_REQUIRED`؛ وتبقى رموز الوصول صالحة للبرامج',
  'Close a company': 'إغلاق شركة',
  'From this moment its keys and people are answered 404, and its webhooks, mails and jobs stop. The operator can read it and, for 30 days, reopen it; then everything in it is removed for good. Its sandbox is closed with it. `name` must be the name of the company, as a confirmation.':
    'من هذه اللحظة يُرد على مفاتيحها وعلى الأشخاص فيها بالرمز 404، وتتوقف خطافاتها ورسائلها وأعمالها. يمكن للمشغِّل قراءتها، وإعادة فتحها خلال 30 يومًا؛ ثم يُزال كل ما فيها نهائيًّا. تُغلق معها بيئتها التجريبية. يجب أن تكون قيمة `name` اسم الشركة، تأكيدًا للإغلاق.',
  'The name of the company': 'اسم الشركة',
  'Reopen a company': 'إعادة فتح شركة',
  'Within 30 days of its closing; after that the answer is 409. Everything works as before, and a sandbox that was closed with it is open again. A sandbox whose company is closed or has another one is 409, and so is a company that has moved to another cell.':
    'خلال 30 يومًا من إغلاقها؛ وبعد ذلك الرد 409. يعود كل شيء كما كان، وتُفتح البيئة التجريبية التي أُغلقت معها. إعادة فتح بيئة تجريبية أُغلقت شركتها أو صارت لها بيئة أخرى يُرد عليها بالرمز 409، وكذلك شركة انتقلت إلى خلية أخرى.',
  'Make a sandbox': 'إنشاء بيئة تجريبية',
  'A company of the same settings, with demo records, to try things out in. The caller is its owner, or, when the operator asks, the first owner of the company. Its keys begin with `svc_api_test_`. Nothing is mailed from it; webhooks and calendars work as usual. A company has one sandbox at a time: another is 409, and so is the sandbox of a sandbox. It is removed after 30 days without use.':
    'شركة بالإعدادات نفسها وفيها سجلات تجريبية، لتجربة الأشياء فيها. مالكها هو المستدعي، أو المالك الأول للشركة إذا طلبها المشغِّل. تبدأ مفاتيحها بـ`svc_api_test_`. لا يُرسل منها بريد؛ وتعمل خطافات الويب والتقاويم كالمعتاد. للشركة بيئة تجريبية واحدة في كل وقت: الثانية يُرد عليها بالرمز 409، وكذلك بيئة تجريبية لبيئة تجريبية. تُزال بعد 30 يومًا دون استخدام.',
  'For the operator and owners. Kept in the audit.': 'للمشغِّل وللملّاك. يُقيَّد في سجل التدقيق.',
  'Close the sandbox': 'إغلاق البيئة التجريبية',
  'Its keys and people are answered 404 from this moment, and 30 days later it is removed. Another can be made at once; the calls of the day so far are kept.':
    'من هذه اللحظة يُرد على مفاتيحها وعلى الأشخاص فيها بالرمز 404، وتُزال بعد 30 يومًا. يمكن إنشاء غيرها فورًا؛ وتبقى استدعاءات اليوم محسوبة.',
  'Sign in to the sandbox': 'تسجيل الدخول إلى البيئة التجريبية',
  'Begins a session of the console in the sandbox, as the person there who has your e-mail address; if nobody has, you are added as an owner. The session that the request came with ends. There is no way back without a credential of the company, because everybody in a sandbox can be made an owner there.':
    'يبدأ جلسة للوحة التحكم في البيئة التجريبية، باسم الشخص الذي له هناك عنوان بريدك الإلكتروني؛ وإن لم يوجد، أُضيف لك حساب بدور المالك. تنتهي الجلسة التي جاء بها الطلب. لا عودة دون بيانات اعتماد للشركة، لأن كل من في البيئة التجريبية يمكن أن يصير مالكًا فيها.',
  'For owners, not for the operator. Kept in the audit.': 'للملّاك، لا للمشغِّل. يُقيَّد في سجل التدقيق.',
  'Get the counts of a company': 'عرض أعداد الشركة',
  'How many there are of what people look at first. Counts stop at 10,000.':
    'أعداد ما يُنظر إليه أولًا. يتوقف العد عند 10,000.',
  'List the people of a company': 'عرض الأشخاص في شركة',
  '`q` finds people by part of their name, with the same spelling rules as search, or of their e-mail address.':
    'يبحث `q` عن الأشخاص بجزء من الاسم، بقواعد الإملاء نفسها التي في البحث، أو بجزء من عنوان البريد الإلكتروني.',
  'Part of the name or of the e-mail address': 'جزء من الاسم أو من عنوان البريد الإلكتروني',
  'Add a person': 'إضافة شخص',
  'Only an owner or the operator can give a role other than member, or the right to manage API keys. The person is invited: if mail is set up, a code is mailed; another one is shown in this answer and never again, unless mail is set up and the person is more than a plain member. People who are added as inactive are not invited.':
    'لا يمنح دورًا غير العضو، ولا صلاحية إدارة مفاتيح API، إلا مالك أو المشغِّل. يُدعى الشخص: إذا كان البريد مُعَدًّا يُرسل رمز دعوة بالبريد، ويظهر رمز آخر في هذه الإجابة ولا يظهر بعدها أبدًا، إلا إذا كان البريد مُعَدًّا وكان للشخص أكثر من عضوية عادية. من يُضاف غير نشط لا يُدعى.',
  'Default member': 'الافتراضي `member`',
  'Default: the language of the company': 'الافتراضية: لغة الشركة',
  'Get a person': 'عرض شخص',
  'Update a person': 'تعديل شخص',
  'Only an owner or the operator can change roles, the right to manage API keys, the e-mail address of somebody who has it, or anything about an owner. Where people sign in with an identity provider, so is the e-mail address of somebody who has signed in before, and that of another owner is for the operator. Changing the role, the right, the e-mail address or `active` cancels an open invitation. A higher role, the right or another e-mail address ends every token, session and link with the identity provider that the person has, except the one that the call comes with. If that ends any, an owner or the operator invites the person again with the same call.':
    'لا يغيّر الأدوار، ولا صلاحية إدارة مفاتيح API، ولا عنوان البريد الإلكتروني لمن له هذه الصلاحية، ولا شيئًا مما يخص مالكًا، إلا مالك أو المشغِّل. وحيث يُسجَّل الدخول عبر موفّر هوية يسري ذلك على عنوان من سبق دخوله، وأما عنوان مالك آخر فللمشغِّل. تغيير الدور أو الصلاحية أو العنوان أو `active` يلغي الدعوة المفتوحة. الدور الأعلى أو الصلاحية أو العنوان الجديد ينهي كل رموز الشخص وجلساته وارتباطاته بموفّر الهوية، عدا ما جاء به الاستدعاء. وإذا انتهى شيء منها دعا المالك أو المشغِّل الشخص من جديد بالاستدعاء نفسه.',
  'Invite a person again': 'دعوة شخص من جديد',
  'Cancels the earlier code, and ends the tokens and sessions that the person has. A manager can invite only members who do not manage API keys. Only an owner or the operator can invite somebody again who has ever had a token, and only the operator can invite another owner; if mail is set up, the code is then sent by mail only and is null here.':
    'يلغي رمز الدعوة السابق، وينهي رموز الشخص وجلساته. لا يدعو المدير إلا أعضاء لا يديرون مفاتيح API. من كان له رمز وصول من قبل لا يدعوه من جديد إلا مالك أو المشغِّل، ولا يدعو مالكًا آخر إلا المشغِّل؛ وإذا كان البريد مُعَدًّا أُرسل الرمز عندئذ بالبريد وحده، وقيمته هنا `null`.',
  'Accept an invitation': 'قبول دعوة',
  "Exchanges the code for the person's first access token, which is shown in this answer and never again. A code that was mailed ends whatever somebody else may have begun with the one that was shown. A code that is wrong, used, cancelled or expired is 401. After 20 failures in a minute from one address, failed sign-ins included, the answer is 429 whatever the code.":
    'يبدّل رمز الدعوة بأول رمز وصول للشخص، ويظهر في هذه الإجابة ولا يظهر بعدها أبدًا. الرمز المرسل بالبريد ينهي كل ما قد يكون شخص آخر بدأه بالرمز المعروض. الرمز الخاطئ أو المستخدم أو الملغى أو المنتهي يُرد عليه بالرمز 401. بعد 20 إخفاقًا في الدقيقة من عنوان واحد، ومنها إخفاقات تسجيل الدخول، يكون الرد 429 أيًّا كان الرمز.',
  'For whoever has the code, without a credential. Kept in the audit.':
    'لكل من معه رمز الدعوة، دون بيانات اعتماد. يُقيَّد في سجل التدقيق.',
  'The code from the invitation': 'رمز الدعوة',
  "List a person's access tokens": 'عرض رموز الوصول لشخص',
  'For the operator and the person or leaders.': 'للمشغِّل، وللشخص نفسه، وللملّاك والمديرين.',
  'Make a personal access token': 'إنشاء رمز وصول شخصي',
  'People make their own; the operator can make one for anybody. The token is shown in this answer and never again.':
    'ينشئ كل شخص رموزه؛ ويمكن للمشغِّل إنشاء رمز لأي شخص. يظهر الرمز في هذه الإجابة ولا يظهر بعدها أبدًا.',
  'For the operator and the person. Kept in the audit.': 'للمشغِّل وللشخص نفسه. يُقيَّد في سجل التدقيق.',
  'Revoke a personal access token': 'إبطال رمز وصول شخصي',
  'For the operator and the person or leaders. Kept in the audit.':
    'للمشغِّل، وللشخص نفسه، وللملّاك والمديرين. يُقيَّد في سجل التدقيق.',
  'The id of the token': 'رقم رمز الوصول',
  "List a person's sessions": 'عرض جلسات شخص',
  'The sessions of the console that have not ended.': 'جلسات لوحة التحكم التي لم تنتهِ.',
  "End a person's session": 'إنهاء جلسة لشخص',
  "List a person's accounts at the identity provider": 'عرض حسابات شخص لدى موفّر الهوية',
  'A link is made when somebody signs in to the console with the identity provider for the first time.':
    'ينشأ الربط عند أول تسجيل دخول إلى لوحة التحكم عبر موفّر الهوية.',
  'Undo a link with the identity provider': 'فك الربط بموفّر الهوية',
  "Its sessions end. The next sign-in with the provider makes a new link if the account's verified address is the person's.":
    'تنتهي جلساته. تسجيل الدخول التالي عبر الموفّر ينشئ ربطًا جديدًا إذا كان العنوان الموثَّق للحساب هو عنوان الشخص.',
  'The id of the link': 'رقم الربط',
}
