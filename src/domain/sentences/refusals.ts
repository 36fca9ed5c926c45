/** Why a call is refused: whole sentences, in English and in Arabic. */
export const REFUSALS = {
  // Who is calling.
  'The API key is missing or invalid. Send it as: Authorization: Bearer <key>':
    'مفتاح API مفقود أو غير صالح. صيغة إرساله: Authorization: Bearer <key>',
  'The token is missing or invalid. Send it as: Authorization: Bearer <token>':
    'رمز الوصول مفقود أو غير صالح. صيغة إرساله: Authorization: Bearer <token>',
  'The code is wrong, has been used, or is no longer good. Ask for another invitation.':
    'رمز الدعوة خاطئ، أو استُخدم من قبل، أو لم يعد صالحًا. يمكنك طلب دعوة أخرى.',
  'The code is wrong, has been used, or has expired. Sign in with a token instead.':
    'رمز الدخول خاطئ، أو استُخدم من قبل، أو انتهت صلاحيته. يمكنك تسجيل الدخول برمز وصول.',
  'The sign-in has been used, has expired, or names nobody here. Begin again.':
    'تسجيل الدخول هذا استُخدم من قبل، أو انتهت صلاحيته، أو لا يدل على أحد هنا. يُرجى البدء من جديد.',
  'Your company asks you to sign in with {provider}. Tokens are for programs.':
    'تطلب شركتك تسجيل الدخول عبر {provider}. رموز الوصول للبرامج.',
  'Pages of other sites cannot use the sessions of the console.':
    'لا يمكن لصفحات المواقع الأخرى استخدام جلسات لوحة التحكم.',
  'A request with the cookie of a session must carry the header X-Diwan-Console: 1, unless it is a GET.':
    'يجب أن يحمل كل طلب بملف تعريف ارتباط الجلسة الترويسة X-Diwan-Console: 1، ما لم يكن طلب GET.',
  'Origin must be that of this server.': 'يجب أن يدل Origin على هذا الخادم نفسه.',

  // What the key may do.
  'The key has {access} access, which does not permit {operation}.':
    'مستوى وصول المفتاح {access}، وهو لا يسمح بالعملية {operation}.',
  'The key is not allowed {operation}.': 'لا يُسمح للمفتاح بالعملية {operation}.',
  'You may delete only what you have made yourself.': 'لا يمكنك حذف غير ما أُنشئ باسمك.',
  'The key lacks the right {right}.': 'يفتقر المفتاح إلى الصلاحية {right}.',
  "The company's subscription is read-only.": 'اشتراك الشركة للقراءة فقط.',
  'The project is archived. Unarchive it first.': 'المشروع مؤرشف. يلزم إلغاء أرشفته أولًا.',
  "The destination's project is archived. Unarchive it first.": 'مشروع الوجهة مؤرشف. يلزم إلغاء أرشفته أولًا.',
  'Only the organizer may change an event.': 'لا يغيّر الموعد إلا منظِّمه.',
  'Only the signature that wrote a comment may edit it.': 'لا يعدّل التعليق إلا من كُتب بتوقيعه.',
  'The file waits for its virus scan. Try again soon.': 'الملف في انتظار فحص الفيروسات. يُرجى إعادة المحاولة قريبًا.',
  'The file {reason}.': 'الملف {reason}.',

  // What a person may do.
  'The company is closed. Reopen it first.': 'الشركة مغلقة. تلزم إعادة فتحها أولًا.',
  'The company is being moved and can only be read. Try again in a few seconds.':
    'يجري نقل الشركة، وهي الآن للقراءة فقط. يُرجى إعادة المحاولة بعد ثوانٍ.',
  'The company has moved to cell {cell}, which serves it. It cannot be reopened here.':
    'انتقلت الشركة إلى الخلية {cell}، وهي التي تخدمها الآن. لا يمكن إعادة فتحها هنا.',
  'The company is still being moved here. Finish the move, or undo it.':
    'لا يزال نقل الشركة إلى هنا جاريًا. يلزم إتمام النقل أو التراجع عنه.',
  'This is for the operator only.': 'هذا للمشغِّل فقط.',
  'This is for {who} only.': 'هذا مقصور على {who}.',
  leaders: 'المالكين والمديرين',
  'owners and managers': 'المالكين والمديرين',
  owners: 'المالكين',
  'owners of the company': 'مالكي الشركة',
  people: 'أفراد الشركة',
  'key administrators': 'من يديرون مفاتيح API',
  'the person': 'الشخص نفسه',
  'the person or leaders': 'الشخص نفسه والمالكين والمديرين',
  '{field} is for the operator only.': 'لا يغيّر {field} إلا المشغِّل.',
  "Only an owner or the operator can end an owner's session.": 'لا ينهي جلسة مالك إلا مالك أو المشغِّل.',
  "Only an owner or the operator can undo an owner's link.": 'لا يفك ربط حساب مالك إلا مالك أو المشغِّل.',
  'Only an owner or the operator can decide how people sign in.': 'لا يقرر كيفية تسجيل الدخول إلا مالك أو المشغِّل.',
  'Only an owner or the operator can change the address of somebody who has signed in.':
    'لا يغيّر عنوان من سجّل الدخول من قبل إلا مالك أو المشغِّل.',
  'Only the operator can change the address of another owner who has signed in.':
    'لا يغيّر عنوان مالك آخر سجّل الدخول من قبل إلا المشغِّل.',
  'Only an owner or the operator can give somebody a role other than member.':
    'لا يمنح دورًا غير دور العضو إلا مالك أو المشغِّل.',
  'Only an owner or the operator can change roles.': 'لا يغيّر الأدوار إلا مالك أو المشغِّل.',
  'Only an owner or the operator can change the account of an owner.': 'لا يعدّل حساب مالك إلا مالك أو المشغِّل.',
  'Only an owner or the operator can change the address of somebody who manages API keys.':
    'لا يغيّر عنوان من يدير مفاتيح API إلا مالك أو المشغِّل.',
  "Only an owner or the operator can revoke an owner's token.": 'لا يُبطل رمز وصول أحد المالكين إلا مالك أو المشغِّل.',
  'Only an owner or the operator can make a key that signs as somebody else.':
    'لا ينشئ مفتاحًا يوقّع باسم شخص آخر إلا مالك أو المشغِّل.',
  'A manager can invite only members who do not manage API keys. Ask an owner or the operator.':
    'لا يدعو المدير إلا الأعضاء الذين لا يديرون مفاتيح API. يُطلب ذلك من مالك أو من المشغِّل.',
  'Only an owner or the operator can invite somebody again who has had a token.':
    'لا يعيد دعوة من كان له رمز وصول إلا مالك أو المشغِّل.',
  'Only the operator can invite another owner again who has had a token.':
    'لا يعيد دعوة مالك آخر كان له رمز وصول إلا المشغِّل.',
  'An app acts in the name of a person. Sign in as one to connect it.':
    'يعمل التطبيق باسم شخص. يلزم لربطه تسجيل الدخول بحساب شخص.',
  'The app could not be connected': 'تعذّر ربط التطبيق',
  'This app is not known here. Start again in the app; it may have to be added anew.':
    'هذا التطبيق غير معروف هنا. يُرجى البدء من جديد من التطبيق نفسه، وقد يلزم أن يُضاف مرة أخرى.',
  'The app named an address to return to that is not its own. Do not go on.':
    'ذكر التطبيق عنوانًا للعودة ليس من عناوينه. يُرجى عدم المتابعة.',
  'You can connect only your own calendar.': 'لا يمكنك ربط تقويم غير تقويمك.',
  'You can change only your own calendar connection.': 'لا يمكنك تغيير ربط تقويم غير تقويمك.',
  'You can disconnect only your own calendar.': 'لا يمكنك فصل تقويم غير تقويمك.',

  // What is there.
  'The record was not found.': 'لم يُعثر على السجل.',
  'No endpoint answers {request}.': 'لا توجد نقطة اتصال للطلب {request}.',
  'Range begins after the end of the file, which has {bytes} bytes.': 'يبدأ Range بعد نهاية الملف، وحجمه {bytes} بايت.',
  'The cursor is older than 30 days, or not one of ours. Read the collections again and follow from `error.cursor`.':
    'مضى على المؤشر أكثر من 30 يومًا، أو ليس من مؤشراتنا. تلزم قراءة المجموعات من جديد، ثم المتابعة من `error.cursor`.',
  'If-Match does not match the current version of the record. Read the record again and repeat the request with its new ETag.':
    'لا يطابق If-Match النسخة الحالية من السجل. تلزم قراءة السجل من جديد، ثم تكرار الطلب مع ETag الجديد.',

  // What happens at the same time.
  'Another request changed the same thing at the same moment. It is safe to try again.':
    'غيّر طلب آخر الشيء نفسه في اللحظة نفسها. يمكنك إعادة المحاولة بأمان.',
  'A request with this Idempotency-Key is still running. Try again in a moment.':
    'ما زال طلب يحمل Idempotency-Key هذا قيد التنفيذ. يُرجى إعادة المحاولة بعد لحظات.',
  'A sandbox has no sandbox of its own.': 'ليس للبيئة التجريبية بيئة تجريبية خاصة بها.',
  'The company has a sandbox already. Enter it, or close it first.':
    'للشركة بيئة تجريبية من قبل. يمكنك دخولها، أو إغلاقها أولًا.',
  'It is a sandbox, and its company is closed. Reopen the company first.':
    'هذه بيئة تجريبية وشركتها مغلقة. تلزم إعادة فتح الشركة أولًا.',
  'It is a sandbox, and its company has another one. Close that one first.':
    'هذه بيئة تجريبية، ولشركتها بيئة أخرى. يلزم إغلاق الأخرى أولًا.',
  'The company was closed more than 30 days ago and is being removed.':
    'أُغلقت الشركة قبل أكثر من 30 يومًا، وتجري إزالتها.',
  'A test of this webhook is already running. Wait for its answer.':
    'يجري اختبار خطاف الويب هذا بالفعل. يُرجى انتظار نتيجته.',

  // How much.
  'Too many requests. Try again in {seconds} seconds.': 'طلبات كثيرة جدًّا. يُرجى إعادة المحاولة بعد {seconds}.',
  'Too many requests from this {who}: each entry of a batch counts as one, and there is no room for {more} more. Try again in {seconds} seconds, or send a smaller batch.':
    'طلبات كثيرة جدًّا من {who}: يُحسب كل عنصر في الدفعة طلبًا، ولا متسع للعدد المطلوب ({more}). يُرجى إعادة المحاولة بعد {seconds}، أو إرسال دفعة أصغر.',
  address: 'هذا العنوان',
  key: 'هذا المفتاح',
  company: 'هذه الشركة',
  person: 'هذا الشخص',
  'The {who} has {most} streams open already. Close one first.':
    'بلغت قنوات البث المفتوحة من {who} حدّها الأقصى، وهو {most}. يلزم إغلاق واحدة أولًا.',
  'Too many streams are open at the moment. Try again soon.':
    'عدد قنوات البث المفتوحة الآن كبير جدًّا. يُرجى إعادة المحاولة قريبًا.',
  'Too many PDFs are being made at the moment. Try again soon.':
    'يجري الآن إنشاء ملفات PDF كثيرة. يُرجى إعادة المحاولة قريبًا.',
  'A part of the service is not available at the moment. Try again soon.':
    'جزء من الخدمة غير متاح الآن. يُرجى إعادة المحاولة قريبًا.',
  'More calls come than can be answered at the moment. Try again soon.':
    'تصل الآن طلبات أكثر مما يمكن الرد عليه. يُرجى إعادة المحاولة قريبًا.',
  'The company is being moved. Try again soon.': 'يجري نقل الشركة. يُرجى إعادة المحاولة قريبًا.',
  'The service is not available at the moment. Try again soon.': 'الخدمة غير متاحة الآن. يُرجى إعادة المحاولة قريبًا.',
  'The server is stopping.': 'الخادم قيد التوقف.',
  'The request took too long to arrive.': 'استغرق وصول الطلب وقتًا أطول من المسموح.',
  'The body of the request stopped coming.': 'توقف وصول محتوى الطلب.',
  'Something went wrong on our side.': 'حدث خطأ من جهتنا.',
} as const
