import { isolate, words } from '../words/language.ts'

export const useProviderWords = words({
  en: {
    choose: 'Your address is in several companies. Choose one.',
    nobody: (name: string, email: string) =>
      `${isolate(name)} knows you as ${isolate(email)}, but nobody here can be signed in with that. Ask an owner or a manager of your company to add you with this address or, if your account is a new one, to undo the link with the old one.`,
    unverified: (name: string, email: string) =>
      `${isolate(name)} has not verified your address ${isolate(email)}. Ask whoever runs ${isolate(name)} to verify it.`,
    noAddress: (name: string) =>
      `${isolate(name)} does not tell your email address. Ask whoever runs ${isolate(name)} to pass it on to Diwan.`,
    failures: {
      unreachable: (name: string) => `${isolate(name)} does not answer. Try again later, or sign in with a token.`,
      refused: (name: string) => `You were not signed in at ${isolate(name)}.`,
      again: (_name: string) =>
        'This sign-in was begun in another browser, has been used, or took too long. Begin again.',
      failed: (name: string) =>
        `What ${isolate(name)} answered cannot be used. Begin again; if it happens again, tell the operator of Diwan.`,
      too_many: (_name: string) => 'Too many failed attempts. Wait a moment.',
    },
  },
  ar: {
    choose: 'عنوانك مسجَّل في أكثر من شركة. يُرجى اختيار إحداها.',
    nobody: (name: string, email: string) =>
      `عنوانك لدى ${isolate(name)} هو ${isolate(email)}، ولا يوجد هنا من يمكنه الدخول به. يمكن لمالك شركتك أو أحد مديريها إضافتك بهذا العنوان، أو فك الربط بالحساب القديم إن كان حسابك جديدًا.`,
    unverified: (name: string, email: string) =>
      `لم يتحقق ${isolate(name)} من عنوانك ${isolate(email)}. يمكن لمن يدير ${isolate(name)} التحقق منه.`,
    noAddress: (name: string) =>
      `لا يُطلعنا ${isolate(name)} على بريدك الإلكتروني. يمكن لمن يدير ${isolate(name)} إتاحته لديوان.`,
    failures: {
      unreachable: (name: string) =>
        `لا يستجيب ${isolate(name)}. يُرجى إعادة المحاولة لاحقًا، أو تسجيل الدخول برمز وصول.`,
      refused: (name: string) => `لم يُسجَّل دخولك لدى ${isolate(name)}.`,
      again: (_name: string) =>
        'بدأ تسجيل الدخول هذا في متصفح آخر، أو استُخدم من قبل، أو استغرق وقتًا طويلًا. يُرجى البدء من جديد.',
      failed: (name: string) =>
        `تعذّر استخدام ما أجاب به ${isolate(name)}. يُرجى البدء من جديد، وإن تكرر ذلك فيُرجى إبلاغ مشغِّل ديوان.`,
      too_many: (_name: string) => 'محاولات فاشلة كثيرة. يُرجى الانتظار قليلًا.',
    },
  },
})
